// Swagger UI over the description of this room. The validator of its makers is on another host, and switched off.
window.SwaggerUIBundle({
    url: '../openapi.json',
    dom_id: '#docs',
    deepLinking: true,
    validatorUrl: null,
    presets: [window.SwaggerUIBundle.presets.apis],
    requestInterceptor: request => {
        const token = sessionStorage.getItem('millrace.token');
        if (token && !request.headers.Authorization) {
            request.headers.Authorization = 'Bearer ' + token;
        }
        return request;
    },
});
