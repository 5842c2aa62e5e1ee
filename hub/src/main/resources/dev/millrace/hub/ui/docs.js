// Swagger UI over our own description. The validator of its makers is switched off: it is on another host.
window.SwaggerUIBundle({
    url: '/openapi.json',
    dom_id: '#docs',
    deepLinking: true,
    validatorUrl: null,
    presets: [window.SwaggerUIBundle.presets.apis],
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    requestInterceptor: request => {
        const token = sessionStorage.getItem('millrace.token');
        if (token && !request.headers.Authorization) {
            request.headers.Authorization = 'Bearer ' + token;
        }
        return request;
    },
});
