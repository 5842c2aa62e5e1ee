import { LitElement, html, nothing } from 'lit';
import { repeat } from 'lit-html/directives/repeat.js';
import { call, every } from './api.js';
import { age, clock } from './ems.js';

const PERIOD = 3000;

/** How far back it looks, and how many are shown. */
const MINUTES = 15;
const SHOWN = 8;
const SIZE = 100;
const PAGES = 20;

/** What people were told of late, the newest first. It is not there where nobody was told anything. */
class Inbox extends LitElement {
    static properties = { news: { state: true }, failure: { state: true } };

    createRenderRoot() {
        return this;
    }

    connectedCallback() {
        super.connectedCallback();
        this.end = every(PERIOD, () => this.look());
    }

    disconnectedCallback() {
        super.disconnectedCallback();
        this.end();
    }

    async look() {
        try {
            const news = new Map();
            let from = Date.now() - MINUTES * 60000;
            // They come oldest first, so many at a time.
            for (let page = 0; page < PAGES; page++) {
                const some = await call('GET', '/api/v1/notification/start/' + from + '/' + SIZE + '?none=list');
                some.forEach(each => news.set(each.id, each));
                const last = some.at(-1)?.created;
                if (some.length < SIZE || last === from) break;
                from = last;
            }
            this.news = [...news.values()].reverse().slice(0, SHOWN);
            this.failure = '';
        } catch (e) {
            // Who may not read notifications has no inbox.
            this.failure = e.status === 403 || e.status === 404 ? '' : e.message;
        }
    }

    render() {
        if (!this.news?.length && !this.failure) return nothing;
        return html`
            <section class="card" aria-labelledby="inbox-title">
                <h2 id="inbox-title">Inbox</h2>
                ${this.failure ? html`<p class="bad" role="alert">${this.failure}</p>` : nothing}
                <ul class="inbox">${repeat(this.news ?? [], each => each.id, each => html`<li>
                    <span class="level ${each.severity === 'CRITICAL' ? 'critical' : ''}">${each.severity.toLowerCase()}</span>
                    <span class="what">${each.content}</span>
                    <span class="dim">${each.labels?.includes('cleared') ? 'over' : each.sender}</span>
                    <span class="dim when" title=${clock(each.created)}>${age(each.created)}</span></li>`)}</ul>
            </section>`;
    }
}

customElements.define('mr-inbox', Inbox);
