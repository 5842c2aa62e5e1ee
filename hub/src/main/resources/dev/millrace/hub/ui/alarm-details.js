import { LitElement, html, nothing } from 'lit';
import { every } from './api.js';
import { ask, clock, instant } from './ems.js';
import { REASONS, eventTable, eventsOf } from './alarm-events.js';

/** Said already, above or by the sentence. */
const SAID = new Set(['id', 'source_key', 'field', 'operator', 'threshold', 'threshold2', 'alarm_level', 'alarm_title', 'created_at', 'updated_at', 'enabled', 'state', 'status', 'watch', 'cause', 'caused_by']);

const SHOWN = 10;

/** The feed tells what happens to an alarm, not every value of its point. */
const PERIOD = 2000;

/** The link from a source to its values; models have none yet. */
export function source(alarm) {
    const channel = /^comsrv:(\d+):[TSCA]$/.exec(alarm.source_key ?? '')?.[1];
    const text = html`<code>${alarm.source_key} ${alarm.field}</code>`;
    return channel ? html`<a href=${'/ui/values#' + channel}>${text}</a>` : text;
}

/** One alarm with its rule and what happened to it, asked for when it is opened and when it has changed. Its owner resets it. */
class AlarmDetails extends LitElement {
    static properties = { alarm: {}, reset: {}, value: { state: true }, rule: { state: true }, events: { state: true }, failure: { state: true } };

    createRenderRoot() {
        return this;
    }

    connectedCallback() {
        super.connectedCallback();
        this.end = every(PERIOD, () => this.measure());
    }

    disconnectedCallback() {
        super.disconnectedCallback();
        this.end();
    }

    willUpdate(changed) {
        if (changed.has('alarm')) {
            this.value = this.alarm.current_value;
            this.look(this.alarm.id);
        }
    }

    async measure() {
        try {
            this.value = (await ask('GET', '/api/alarms/' + encodeURIComponent(this.alarm.id))).current_value;
        } catch {
            // That nothing is heard is told at the head of the page.
        }
    }

    async look(id) {
        try {
            [this.rule, this.events] = await Promise.all([
                ask('GET', '/api/alarm-rules/' + encodeURIComponent(id)).catch(e => {
                    if (e.status !== 404) throw e;
                    return null;
                }),
                eventsOf(id, SHOWN)]);
            this.failure = '';
        } catch (e) {
            this.failure = e.message;
        }
    }

    render() {
        const alarm = this.alarm;
        const line = (name, text) => (text || text === 0 ? html`<div><dt>${name}</dt><dd>${text}</dd></div>` : nothing);
        const at = time => clock(instant(time));
        const by = (who, time, why) => [who && 'by ' + who, at(time), why && '“' + why + '”'].filter(Boolean).join(', ');
        return html`
            ${this.failure ? html`<p class="bad" role="alert">${this.failure}</p>` : nothing}
            <dl class="facts">
                ${line('Raised', at(alarm.triggered_at))}
                ${line('Value then', alarm.trigger_value)}
                ${line('Value now', this.value)}
                ${line('Ended', alarm.status === 'active' ? '' : [at(alarm.cleared_at), REASONS[alarm.clear_reason]].filter(Boolean).join(', '))}
                ${line('Acknowledged', alarm.ack_time ? by(alarm.acknowledged_by, alarm.ack_time, alarm.ack_note) : '')}
                ${line('Shelved', alarm.shelved_until ? by(alarm.shelved_by, NaN, alarm.shelve_reason) || 'yes' : '')}
                ${line('Times raised', alarm.count)}
                ${line('Rule', html`<code>${alarm.id}</code>`)}
                ${line('Why', html`<a class="why" href=${'/ui/why/' + encodeURIComponent('alarm-' + alarm.id + '-' + (alarm.count ?? 0))}>What led to it, and what came of it</a>`)}
            </dl>
            ${this.rule ? this.ruleFacts(this.rule) : this.rule === null ? html`<p class="dim">It was raised by hand; there is no rule.</p>` : nothing}
            ${String(this.rule?.latched) === 'true' && alarm.status === 'active' ? html`<p class="row"><button class="quiet" @click=${this.reset}>Reset</button>
                <span class="dim">It stays raised, although its value may be back, until somebody resets it.</span></p>` : nothing}
            ${this.events?.length ? html`<div class="scroll" tabindex="0" role="region" aria-label="What happened to it">${eventTable(this.events, false)}</div>` : nothing}`;
    }

    ruleFacts(rule) {
        const more = Object.entries(rule).filter(([name, value]) => !SAID.has(name) && value !== '' && value !== null);
        return html`<p>Raised when ${source(rule)} is <strong>${rule.operator ?? '>'} ${rule.threshold}${rule.threshold2 === undefined
            || rule.threshold2 === null ? '' : ' and ' + rule.threshold2}</strong>${String(rule.enabled) === 'false' ? '; disabled' : ''}${more.map(([name, value]) => html`,
            ${name.replaceAll('_', ' ')} <strong>${typeof value === 'object' ? JSON.stringify(value) : String(value)}</strong>`)}.</p>`;
    }
}

customElements.define('mr-alarm-details', AlarmDetails);
