import { LitElement, html, nothing } from 'lit';
import { repeat } from 'lit-html/directives/repeat.js';
import { every, number } from './api.js';
import { age, ask, instant } from './ems.js';

const PERIOD = 3000;
const SIZE = 100;

/** Device channels with their state; the chosen one is named by the address. */
class Channels extends LitElement {
    static properties = { chosen: {}, found: { state: true }, failure: { state: true } };

    constructor() {
        super();
        this.search = '';
    }

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
        const search = this.search;
        try {
            const found = await ask('GET', '/api/channels?size=' + SIZE + (search ? '&search=' + encodeURIComponent(search) : ''));
            if (search !== this.search) return;
            this.found = found;
            this.failure = '';
        } catch (e) {
            this.failure = e.message;
        }
        this.dispatchEvent(new CustomEvent('mr-channels', { detail: this.found }));
    }

    render() {
        const items = this.found?.items ?? [];
        return html`
            ${this.failure ? html`<p class="bad" role="alert">${this.failure}</p>` : nothing}
            ${this.search || this.found?.total > 8 ? html`<label class="search"><span class="dim">Search</span>
                <input type="search" placeholder="name" @input=${event => { this.search = event.target.value.trim(); this.look(); }}></label>` : nothing}
            <ul class="channels">${repeat(items, channel => channel.id, channel => this.row(channel))}</ul>
            ${this.found && !items.length && this.search ? html`<p class="dim">Nothing fits “${this.search}”.</p>` : nothing}
            ${this.found?.total > items.length ? html`<p class="dim">${number(items.length)} of ${number(this.found.total)}; search for the others.</p>` : nothing}`;
    }

    row(channel) {
        const state = channel.status ?? (channel.connected ? 'online' : 'offline');
        const at = instant(channel.last_update);
        return html`<li><a href=${'#' + channel.id} aria-current=${String(channel.id) === this.chosen ? 'true' : nothing}>
            <span class="dot ${state}" aria-hidden="true"></span>
            <span class="name">${channel.name && channel.name !== String(channel.id) ? channel.name : 'Channel ' + channel.id}</span>
            <span class="dim">${channel.id}${channel.protocol ? ' · ' + channel.protocol : ''}</span>
            <span class="dim since">${state === 'online' ? 'online' : [state, age(at)].filter(Boolean).join(' ')}</span></a></li>`;
    }
}

customElements.define('mr-channels', Channels);
