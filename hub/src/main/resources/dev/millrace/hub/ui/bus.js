import { html, nothing } from 'lit';
import { every, number } from './api.js';
import { ChannelPage } from './channel-page.js';
import { age, ask, instant } from './ems.js';
import { curl } from './hint.js';
import { liveness } from './liveness.js';
import './confirm.js';
import './orders.js';
import './points.js';

const PERIOD = 2000;

/** So many values of a point are drawn. */
const SPARKS = 60;

const WORDS = {
    stop: ['Stop this channel?', 'Nobody reads its device any more, until somebody starts it again.', 'Stop'],
    restart: ['Restart this channel?', 'Its connection ends and begins anew; its counters too.', 'Restart'],
};

/** Device channels: how each is doing, what its points say, and orders to its device. */
class Bus extends ChannelPage {
    static properties = { state: { state: true }, trouble: { state: true } };

    hint = 'Choose a channel to see how it is doing.';

    constructor() {
        super(SPARKS);
        this.trouble = '';
    }

    connectedCallback() {
        super.connectedCallback();
        this.endLooking = every(PERIOD, () => this.look());
    }

    disconnectedCallback() {
        super.disconnectedCallback();
        this.endLooking();
    }

    choose() {
        this.state = undefined;
        this.trouble = '';
        super.choose();
        this.look();
    }

    async look() {
        const { chosen } = this;
        if (!chosen || this.asking) return;
        try {
            const state = await ask('GET', '/api/channels/' + chosen + '/status');
            if (chosen === this.chosen) this.state = state;
        } catch (e) {
            if (chosen === this.chosen && e.status !== 404) this.trouble = e.message;
        }
    }

    async operate(operation) {
        const { chosen } = this;
        if (WORDS[operation] && !(await this.querySelector('mr-confirm.operations').ask(...WORDS[operation]))) return;
        try {
            await ask('POST', '/api/channels/' + chosen + '/control', { operation });
            this.trouble = '';
        } catch (e) {
            this.trouble = e.message;
        }
        this.look();
    }

    first() {
        return html`<p>A channel that is simulated, to begin with:</p>
            ${curl(['POST', '/api/channels', { name: 'Tank', protocol: 'virtual', points: { T: [{ point_id: 1, unit: '%', mapping: { tank: 'level' } }] } }])}`;
    }

    card() {
        const { book } = this;
        document.title = this.channelName + ' – Channels – Millrace';
        return html`
            <section class="card points" aria-labelledby="points-title">
                <div class="head">
                    <div><a class="back" href="#">← Channels</a>
                        <h2 id="points-title">${this.channelName}</h2>
                        <p class="dim">${[this.channel?.protocol, book.loaded ? number(book.points.size) + (book.points.size === 1 ? ' point' : ' points') : ''].filter(Boolean).join(' · ')}</p></div>
                    ${liveness(this.live)}
                </div>
                ${this.trouble || book.failure ? html`<p class="bad" role="alert">${this.trouble || book.failure}</p>` : nothing}
                ${this.state ? this.health(this.state) : nothing}
                <mr-orders .channel=${this.chosen}></mr-orders>
                ${book.points.size ? html`<mr-points .book=${book} .turn=${++this.turn}></mr-points>`
                    : book.loaded ? html`<p class="dim">It has no values yet.</p>` : nothing}
                <mr-confirm class="operations"></mr-confirm>
            </section>`;
    }

    health(state) {
        const { statistics } = state;
        const fact = (name, value, more = '') => value === undefined || value === null || value === '' ? nothing
            : html`<div><dt>${name}</dt><dd class=${more}>${value}</dd></div>`;
        const stopped = state.polled && !state.running;
        return html`
            <dl class="facts health">
                ${fact('State', html`<span class="dot ${state.status}" aria-hidden="true"></span> ${!state.enabled ? 'disabled' : stopped ? 'stopped' : state.status}`, 'state')}
                ${fact('Last value', age(instant(state.last_update)))}
                ${fact('Successes', number(statistics.success_count))}
                ${fact('Errors', number(statistics.error_count), 'errors')}
                ${state.polled ? [fact('Reconnects', number(statistics.reconnect_count), 'reconnects'),
                    fact('Reading takes', typeof statistics.average_read_ms === 'number' ? statistics.average_read_ms.toFixed(1) + ' ms' : '')] : nothing}
            </dl>
            ${state.last_error ? html`<p class="dim last-error">Last error: ${state.last_error}${statistics.last_error_at ? ', ' + age(instant(statistics.last_error_at)) + ' ago' : ''}</p>` : nothing}
            ${state.polled && state.enabled ? html`<div class="row operations">
                ${stopped ? html`<button class="main" @click=${() => this.operate('start')}>Start</button>`
                    : html`<button class="quiet" @click=${() => this.operate('stop')}>Stop</button>
                        <button class="quiet" @click=${() => this.operate('restart')}>Restart</button>`}</div>` : nothing}`;
    }
}

customElements.define('mr-bus', Bus);
