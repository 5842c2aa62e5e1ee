// The reference on one page, from the description alone: nothing is loaded from elsewhere.
const make = (tag, text, parent, attributes = {}) => {
    const element = document.createElement(tag);
    element.textContent = text;
    Object.entries(attributes).forEach(([name, value]) => element.setAttribute(name, value));
    parent.append(element);
    return element;
};

const shapeOf = (schema, all, depth = 0) => {
    if (!schema) {
        return 'any';
    }
    if (schema.$ref) {
        const name = schema.$ref.split('/').pop();
        return depth > 3 ? name : shapeOf(all[name], all, depth);
    }
    if (schema.const) {
        return JSON.stringify(schema.const);
    }
    if (schema.anyOf) {
        return schema.anyOf.map(each => shapeOf(each, all, depth)).join(' or ');
    }
    const type = [].concat(schema.type || 'any');
    if (type.includes('array')) {
        return '[' + shapeOf(schema.items, all, depth) + ', …]' + (type.includes('null') ? ' or null' : '');
    }
    if (!schema.properties) {
        return type.join(' or ');
    }
    const blanks = '  '.repeat(depth + 1);
    const lines = Object.entries(schema.properties).map(([name, each]) => {
        const optional = (schema.required || []).includes(name) ? '' : '?';
        return `${blanks}${name}${optional}: ${shapeOf(each, all, depth + 1)}`;
    });
    if (schema.additionalProperties) {
        lines.push(blanks + '… anything else');
    }
    return '{\n' + lines.join('\n') + '\n' + '  '.repeat(depth) + '}';
};

const body = (title, content, all, parent) => Object.entries(content || {}).forEach(([type, each]) => {
    make('h4', `${title}: ${type}`, parent);
    make('pre', shapeOf(each.schema, all), parent);
});

const operation = (path, method, what, all, main, contents) => {
    const id = (method + path).replace(/[^a-z]+/gi, '-');
    const section = make('section', '', main, {id});
    const head = make('h3', '', section);
    make('span', method, head, {class: 'method'});
    make('code', path, head);
    make('p', what.summary + '.', section);
    if (what.description) {
        make('p', what.description, section);
    }
    if (what.parameters) {
        const table = make('table', '', section);
        what.parameters.forEach(each => {
            const row = make('tr', '', table);
            make('td', each.name, row);
            make('td', each.in + (each.required ? ', required' : ''), row);
            make('td', each.description || '', row);
        });
    }
    body('Takes', what.requestBody && what.requestBody.content, all, section);
    Object.entries(what.responses).forEach(([status, answer]) => {
        make('p', `${status}: ${answer.description}`, section);
        body('Gives', status === '200' && answer.content, all, section);
    });
    make('a', `${method.toUpperCase()} ${path}`, contents, {href: '#' + id});
};

fetch('../openapi.json').then(answer => answer.json()).then(api => {
    const main = document.getElementById('reference');
    const contents = document.getElementById('contents');
    main.replaceChildren();
    make('h1', api.info.title, main);
    make('p', api.info.description, main);
    api.tags.forEach(tag => {
        make('h2', tag.name, main);
        make('p', tag.description, main);
        make('strong', tag.name, contents);
        Object.entries(api.paths).forEach(([path, methods]) => Object.entries(methods)
            .filter(([, what]) => what.tags.includes(tag.name))
            .forEach(([method, what]) => operation(path, method, what, api.components.schemas, main, contents)));
    });
}).catch(error => {
    document.getElementById('reference').textContent = 'The description cannot be loaded: ' + error.message;
});
