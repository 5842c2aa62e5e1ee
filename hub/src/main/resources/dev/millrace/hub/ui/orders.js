import { LitElement, html, nothing } from 'lit';
import { repeat } from 'lit-html/directives/repeat.js';
import { age, ask, instant } from './ems.js';
import './confirm.js';

const LOOK = 300;
const KEPT = 8;

/** How an order ended, or where it is. */
const ENDS = ['completed', 'failed'];

/** What can be ordered of a channel, and what became of what was ordered here. */
class Orders extends LitElement {
    static properties = { channel: {}, points: { state: true }, sent: { state: true }, failure: { state: true } };

    constructor() {
        super();
        this.points = [];
        this.sent = [];
        this.failure = '';
    }

    createRenderRoot() {
        return this;
    }

    disconnectedCallback() {
        super.disconnectedCallback();
        clearTimeout(this.timer);
    }

    willUpdate(changed) {
        if (changed.has('channel')) {
            this.points = [];
            this.sent = [];
            this.failure = '';
            this.load();
        }
    }

    async load() {
        const { channel } = this;
        try {
            const defined = await ask('GET', '/api/channels/' + channel).catch(e => {
                if (e.status !== 404) throw e;
            });
            const points = [];
            for (const type of ['C', 'A']) {
                for (const each of defined?.points?.[type] ?? []) points.push({ type, ...each });
            }
            if (channel === this.channel) this.points = points;
        } catch (e) {
            if (channel === this.channel) this.failure = e.message;
        }
    }

    name(point) {
        return point.signal_name || (point.type === 'C' ? 'Control ' : 'Set point ') + point.point_id;
    }

    label(point, value) {
        const label = point.states?.[value] ?? (point.type === 'C' ? [point.state_0, point.state_1][value] : undefined);
        return label ?? (point.type === 'C' ? ['0', '1'][value] : value + (point.unit ? ' ' + point.unit : ''));
    }

    async order(point, value) {
        const said = this.label(point, value);
        const meant = await this.querySelector('mr-confirm').ask(
            this.name(point) + ': ' + said, 'This is sent to the device, once.', 'Send');
        if (!meant) return;
        const { channel } = this;
        try {
            const path = (point.type === 'C' ? '/api/control/' : '/api/adjustment/') + channel;
            const { cmd_id: id, status } = await ask('POST', path, { point_id: Number(point.point_id), value });
            if (channel !== this.channel) return;
            this.failure = '';
            this.sent = [{ id, status, what: this.name(point) + ': ' + said, point, at: Date.now() }, ...this.sent].slice(0, KEPT);
            this.follow();
        } catch (e) {
            if (channel === this.channel) this.failure = this.name(point) + ': ' + e.message;
        }
    }

    follow() {
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.look(), LOOK);
    }

    async look() {
        const open = this.sent.filter(each => !ENDS.includes(each.status));
        for (const each of open) {
            try {
                const command = await ask('GET', '/api/commands/' + encodeURIComponent(each.id));
                each.status = command.status;
                each.error = command.error;
                each.actual = command.actual_value;
                each.result = command.result;
            } catch (e) {
                each.trouble = e.message;
            }
        }
        this.sent = [...this.sent];
        if (this.isConnected && this.sent.some(each => !ENDS.includes(each.status))) this.follow();
    }

    take(event, point) {
        event.preventDefault();
        this.order(point, Number(new FormData(event.target).get('value')));
    }

    render() {
        if (!this.points.length && !this.failure) return nothing;
        return html`
            <section class="orders" aria-labelledby="orders-title">
                <h3 id="orders-title">Orders</h3>
                ${this.failure ? html`<p class="bad" role="alert">${this.failure}</p>` : nothing}
                <ul class="orders">${repeat(this.points, each => each.type + each.point_id, each => html`<li>
                    <span class="dim">${each.type} ${each.point_id}</span><span class="name">${this.name(each)}</span>
                    ${each.type === 'C' ? this.buttons(each) : this.field(each)}</li>`)}</ul>
                ${this.sent.length ? html`<ul class="sent" role="status">${repeat(this.sent, each => each.id, each => this.line(each))}</ul>` : nothing}
                <mr-confirm></mr-confirm>
            </section>`;
    }

    buttons(point) {
        return html`<span class="row">${[0, 1].map(value => html`
            <button class="quiet" @click=${() => this.order(point, value)}>${this.label(point, value)}</button>`)}</span>`;
    }

    field(point) {
        return html`<form class="row" @submit=${event => this.take(event, point)}>
            <input type="number" name="value" step="any" required aria-label=${this.name(point)}
                min=${point.min_value ?? nothing} max=${point.max_value ?? nothing}>
            <span class="dim">${point.unit}</span><button class="quiet">Set</button></form>`;
    }

    line(each) {
        const actual = each.status === 'completed' && each.actual !== undefined && each.actual !== null && each.actual !== ''
            ? 'the device says ' + this.label(each.point, Number(each.actual)) : '';
        return html`<li class=${each.status}><span class="state">${each.status}</span><span class="what">${each.what}</span>
            <span class="dim">${[actual, each.error, each.status === 'failed' ? each.result : '', each.trouble].filter(Boolean).join(' · ')}
                <a href=${'/ui/why/' + encodeURIComponent(each.id)}>Why?</a></span>
            <span class="dim">${age(instant(each.at))}</span></li>`;
    }
}

customElements.define('mr-orders', Orders);
