import { html } from 'lit';
import { Shell } from './shell.js';
import './health.js';
import './inbox.js';
import './rates.js';
import './memory.js';
import './fsck.js';
import './catalogue.js';

/** The first page: how the hub is. */
class Page extends Shell {
    open() {
        return html`<h1 class="unseen">Hub</h1><mr-health></mr-health>`;
    }

    parts() {
        return html`
            <mr-inbox></mr-inbox>
            <mr-rates></mr-rates>
            <mr-memory></mr-memory>
            <mr-fsck></mr-fsck>
            <mr-catalogue></mr-catalogue>`;
    }
}

customElements.define('mr-page', Page);
