import { html } from 'lit';
import { asksForToken } from './api.js';

const AUTHORIZATION = asksForToken ? ' -H "Authorization: Bearer $TOKEN"' : '';

/** Commands for a terminal that send JSON, ready to be copied; one click marks the whole line. */
export const curl = (...calls) => html`<div>${calls.map(([method, path, body]) => html`
    <pre class="curl"><code>curl${method === 'POST' ? '' : ' -X ' + method}${AUTHORIZATION} -d '${JSON.stringify(body)}' ${location.origin}${path}</code></pre>`)}</div>`;
