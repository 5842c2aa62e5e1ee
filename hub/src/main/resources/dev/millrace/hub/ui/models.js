import { html, nothing } from 'lit';
import { repeat } from 'lit-html/directives/repeat.js';
import { every, number } from './api.js';
import { age, ask, clock, instant } from './ems.js';
import { curl } from './hint.js';
import { Live } from './live.js';
import { liveness } from './liveness.js';
import { Shell } from './shell.js';

const PERIOD = 3000;
const SIZE = 100;

/** For so long it is seen that a value has changed. */
const FRESH = 900;

const DOTS = { normal: 'online', warning: 'warning', fault: 'error' };

const EXAMPLE = { name: 'Transformer 1', mappings: { measurement: { temperature: { channel: 1, point_id: 101 } } } };

/** What models measure now, how they are, and their actions: one model at a time. */
class Models extends Shell {
    static properties = { found: { state: true }, failure: { state: true }, model: { state: true }, told: { state: true } };

    constructor() {
        super();
        this.search = '';
        this.failure = '';
        this.told = '';
        this.values = new Map();
        this.live = new Live(['models'], (feed, fact) => this.heard(JSON.parse(fact)), anew => {
            if (anew || !this.model) this.load();
            this.requestUpdate();
        });
        this.moved = () => this.choose();
    }

    connectedCallback() {
        super.connectedCallback();
        window.addEventListener('hashchange', this.moved);
        if (!this.asking) this.begin();
    }

    disconnectedCallback() {
        super.disconnectedCallback();
        window.removeEventListener('hashchange', this.moved);
        this.stop();
    }

    begin() {
        this.stop();
        this.live.begin();
        this.end = every(PERIOD, () => this.look());
        this.ticking = setInterval(() => this.requestUpdate(), 1000);
    }

    stop() {
        this.live.end();
        this.end?.();
        clearInterval(this.ticking);
    }

    willUpdate(changed) {
        if (changed.get('asking') === true && !this.asking) this.begin();
        if (changed.get('asking') === false && this.asking) this.stop();
    }

    get chosen() {
        return location.hash ? decodeURIComponent(location.hash.slice(1)) : '';
    }

    choose() {
        this.model = undefined;
        this.told = '';
        this.values = new Map();
        this.load();
        this.requestUpdate();
    }

    async look() {
        const search = this.search;
        try {
            const found = await ask('GET', '/api/models?size=' + SIZE + (search ? '&search=' + encodeURIComponent(search) : ''));
            if (search !== this.search) return;
            this.found = found;
            this.failure = '';
        } catch (e) {
            this.failure = e.message;
        }
    }

    async load() {
        const id = this.chosen;
        if (!id || this.asking) return;
        const path = '/api/models/' + encodeURIComponent(id);
        try {
            const [model, data, status] = await Promise.all([ask('GET', path), ask('GET', path + '/data'), ask('GET', path + '/status')]);
            if (id !== this.chosen) return;
            this.model = model;
            this.action = data.action;
            this.status = status;
            for (const [name, value] of Object.entries(data.measurement)) this.set(name, value, instant(status.last_update));
            this.failure = '';
        } catch (e) {
            if (id === this.chosen) this.failure = e.message;
        }
    }

    set(name, value, at) {
        const before = this.values.get(name);
        const fresh = before && before.value !== value ? performance.now() : before?.fresh ?? -FRESH;
        this.values.set(name, { value, at, fresh });
    }

    heard(fact) {
        if (fact.model_id !== this.chosen) return;
        const at = Date.parse(fact.timestamp);
        for (const [name, value] of Object.entries(fact.values ?? {})) this.set(name, value, at);
        if (fact.state) this.load();
        this.requestUpdate();
    }

    async order(event, name) {
        event.preventDefault();
        const value = Number(new FormData(event.target).get('value'));
        this.told = 'Ordering …';
        try {
            const answer = await ask('POST', '/api/models/' + encodeURIComponent(this.chosen) + '/action', { action: name, value });
            this.told = name + ' = ' + value + ' was ordered, as command ' + answer.cmd_id + '.';
        } catch (e) {
            this.told = e.message;
        }
        this.load();
    }

    parts() {
        const items = this.found?.items ?? [];
        const none = this.found && !this.found.total && !this.search;
        return html`
            <div class="values wide ${this.chosen ? 'chosen' : ''}">
                <section class="card list" aria-labelledby="models-title">
                    <div class="head"><h1 id="models-title">Models</h1>${this.chosen ? nothing : liveness(this.live)}</div>
                    ${this.search || this.found?.total > 8 ? html`<label class="search"><span class="dim">Search</span>
                        <input type="search" placeholder="name" @input=${event => { this.search = event.target.value.trim(); this.look(); }}></label>` : nothing}
                    <ul class="channels">${repeat(items, each => each.id, each => this.line(each))}</ul>
                    ${this.found && !items.length && this.search ? html`<p class="dim">Nothing fits “${this.search}”.</p>` : nothing}
                    ${this.found?.total > items.length ? html`<p class="dim">${number(items.length)} of ${number(this.found.total)}; search for the others.</p>` : nothing}
                    ${none ? html`<p class="dim">There are none yet.</p>` : nothing}
                </section>
                ${this.chosen ? this.card() : none ? html`<section class="card other first"><p>A model gives points a name:</p>
                    ${curl(['PUT', '/api/models/tr_1', EXAMPLE])}</section>`
                    : html`<section class="card other"><p class="dim">Choose a model to see what it measures.</p>
                        ${this.failure ? html`<p class="bad" role="alert">${this.failure}</p>` : nothing}</section>`}
            </div>`;
    }

    line(model) {
        return html`<li><a href=${'#' + encodeURIComponent(model.id)} aria-current=${model.id === this.chosen ? 'true' : nothing}>
            <span class="dot ${DOTS[model.state] ?? 'offline'}" aria-hidden="true"></span>
            <span class="name">${model.name}</span>
            <span class="dim">${[model.id, model.type].filter(Boolean).join(' · ')}</span>
            <span class="dim since">${model.state}</span></a></li>`;
    }

    card() {
        const { model, status } = this;
        document.title = (model?.name ?? this.chosen) + ' – Models – Millrace';
        return html`
            <section class="card points" aria-labelledby="model-title">
                <div class="head">
                    <div><a class="back" href="#">← Models</a>
                        <h2 id="model-title">${model?.name ?? this.chosen}</h2>
                        <p class="dim" id="model-state">${status && model ? [model.type ?? model.template, status.state, status.error_msg].filter(Boolean).join(' · ') : ''}</p></div>
                    ${liveness(this.live)}
                </div>
                ${this.failure ? html`<p class="bad" role="alert">${this.failure}</p>` : nothing}
                ${model ? html`${this.measurements()}${this.actions()}` : nothing}
            </section>`;
    }

    measurements() {
        const mapped = this.model.mappings?.measurement ?? {};
        const names = [...new Set([...Object.keys(mapped), ...this.values.keys()])].sort();
        if (!names.length) return html`<p class="dim">It measures nothing yet.</p>`;
        const drawn = performance.now();
        return html`<table class="points measurements">
            <thead><tr><th class="name">Measurement</th><th class="n value">Value</th><th class="from">From</th><th class="n age">Age</th></tr></thead>
            <tbody>${repeat(names, name => name, name => {
                const known = this.values.get(name);
                return html`<tr><td class="name">${name}</td>
                    <td class="n value ${known && drawn - known.fresh < FRESH ? 'fresh' : ''}">${known ? String(known.value) : '–'}</td>
                    <td class="from dim">${origin(mapped[name])}</td>
                    <td class="n age" title=${known ? clock(known.at) : ''}>${known ? age(known.at) : ''}</td></tr>`;
            })}</tbody></table>`;
    }

    actions() {
        const actions = Object.entries(this.model.mappings?.action ?? {});
        if (!actions.length) return nothing;
        const { action } = this;
        return html`<h3>Actions</h3>
            ${actions.map(([name, point]) => html`<form class="row order" @submit=${event => this.order(event, name)}>
                <label for=${'action-' + name}>${name}</label>
                <input id=${'action-' + name} name="value" type="number" step="any" required min=${point.min ?? nothing} max=${point.max ?? nothing}
                    value=${action?.last?.[name] ?? nothing}>
                <button>Order</button>
                <span class="dim">channel ${point.channel}, point ${point.point_id}</span></form>`)}
            ${this.told ? html`<p role="status" id="told">${this.told}</p>` : nothing}
            ${action?.cmd_id ? html`<p class="dim">Last: ${action.action} = ${action.value}, ${action.status}${action.error ? ' (' + action.error + ')' : ''}</p>` : nothing}`;
    }
}

/** Where a measurement comes from, in a few words. */
function origin(entry) {
    if (!entry) return 'set by hand';
    if (entry.expression) return entry.expression;
    if (entry.aggregate) return entry.aggregate + ' of ' + entry.sources.length;
    return 'channel ' + entry.channel + ', ' + (entry.type ?? 'T') + ' ' + entry.point_id;
}

customElements.define('mr-models', Models);
