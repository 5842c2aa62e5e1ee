import { LitElement, html, nothing } from 'lit';
import { repeat } from 'lit-html/directives/repeat.js';
import { ask, clock, instant } from './ems.js';

const WORDS = {
    triggered: 'raised', cleared: 'ended', cleared_by_disable: 'ended, rule disabled', acknowledged: 'acknowledged',
    re_alarmed: 'unacknowledged again', shelved: 'shelved', unshelved: 'unshelved', suppressed: 'suppressed', escalated: 'escalated',
    reset: 'reset', no_data: 'no data', data_restored: 'data are back', rule_created: 'rule created', rule_updated: 'rule changed',
    rule_deleted: 'rule deleted',
};

export const REASONS = {
    condition_cleared: 'the value is back', rule_disabled: 'the rule was disabled', manual: 'by hand', rule_deleted: 'the rule was deleted',
    source_removed: 'the rule watches something else',
};

const SHOWN = 50;
const PAUSE = 1000;

/** What happened, newest first, as the rows of a table. */
export const eventTable = (events, named) => html`
    <table class="events"><thead><tr><th>When</th><th>What</th>${named ? html`<th>Alarm</th>` : nothing}<th class="n">Value</th><th>Who, and why</th></tr></thead>
        <tbody>${repeat(events, event => event.seq, event => html`<tr>
            <td class="when">${clock(instant(event.timestamp))}</td>
            <td class="kind">${WORDS[event.type] ?? event.type}</td>
            ${named ? html`<td class="name">${event.title || event.rule_id}</td>` : nothing}
            <td class="n">${event.value ?? ''}</td>
            <td class="who">${[event.user, event.note ?? REASONS[event.reason] ?? event.reason].filter(Boolean).join(': ')}</td></tr>`)}</tbody></table>`;

export const eventsOf = (id, limit) => ask('GET', '/api/alarm-events?limit=' + limit + (id ? '&rule_id=' + encodeURIComponent(id) : ''))
    .then(data => data.items ?? data);

/** What happened to all alarms lately. */
class AlarmEvents extends LitElement {
    static properties = { events: { state: true }, failure: { state: true } };

    createRenderRoot() {
        return this;
    }

    /** Something has happened: asked for at once, and then not again for a second. */
    async look() {
        this.again = true;
        if (this.looking) return;
        this.looking = true;
        while (this.again && this.isConnected) {
            this.again = false;
            try {
                this.events = await eventsOf('', SHOWN);
                this.failure = '';
            } catch (e) {
                this.failure = e.message;
            }
            await new Promise(done => setTimeout(done, PAUSE));
        }
        this.looking = false;
    }

    render() {
        return html`
            <section class="card" aria-labelledby="events-title">
                <h2 id="events-title">What happened lately</h2>
                ${this.failure ? html`<p class="bad" role="alert">${this.failure}</p>` : nothing}
                ${this.events?.length ? html`<div class="scroll tall" tabindex="0" role="region" aria-label="Events of alarms">${eventTable(this.events, true)}</div>`
                    : this.events ? html`<p class="dim">Nothing yet.</p>` : nothing}
            </section>`;
    }
}

customElements.define('mr-alarm-events', AlarmEvents);
