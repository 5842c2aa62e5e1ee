import { LitElement, html, nothing } from 'lit';
import { age, ask, clock, instant } from './ems.js';
import { source } from './alarm-details.js';

const STATES = { UNACK: 'Unacknowledged', ACKED: 'Acknowledged', RTNUN: 'Ended, unacknowledged', NORM: 'Ended', SUPPR: 'Suppressed', OOSRV: 'Out of service' };

/** When shelving ends: a time, or with the alarm itself. */
function until(alarm) {
    const at = instant(alarm.shelved_until);
    return Number.isNaN(at) ? 'until it ends' : 'until ' + clock(at);
}

/** One alarm, and what can be done about it. It tells the page when it did something. */
class AlarmRow extends LitElement {
    static properties = { alarm: {}, second: {}, opened: { state: true }, busy: { state: true }, failure: { state: true } };

    constructor() {
        super();
        this.reset = () => this.act('reset', {});
    }

    createRenderRoot() {
        return this;
    }

    async act(verb, body) {
        const held = this.contains(document.activeElement);
        this.busy = true;
        this.failure = '';
        let answer;
        try {
            answer = await ask('POST', '/api/alarms/' + encodeURIComponent(this.alarm.id) + '/' + verb, body);
        } catch (e) {
            this.failure = e.message;
        }
        this.busy = false;
        this.dispatchEvent(new CustomEvent('mr-acted', { detail: { id: this.alarm.id, alarm: answer?.alarm }, bubbles: true }));
        // A button that has gone takes the focus with it: whoever works by keyboard goes on at the title.
        await this.updateComplete;
        if (held && !this.contains(document.activeElement)) {
            this.querySelector('.title').focus();
        }
    }

    shelve() {
        this.dispatchEvent(new CustomEvent('mr-shelve', { detail: { alarm: this.alarm, then: body => this.act('shelve', body) }, bubbles: true }));
    }

    render() {
        const alarm = this.alarm;
        const state = alarm.state === 'SHELVED' ? 'Shelved ' + until(alarm) : STATES[alarm.state] ?? alarm.status;
        const button = (name, main, action) => html`<button class=${main ? 'main' : 'quiet'} ?disabled=${this.busy} @click=${action}>${name}</button>`;
        const title = alarm.title || alarm.alarm_title || alarm.id;
        return html`
            <div class="alarm ${alarm.level.toLowerCase()} ${alarm.group} ${alarm.over ? 'over' : ''}">
                <span class="level">${alarm.level}</span>
                <div class="what">
                    <button class="title" aria-expanded=${this.opened ? 'true' : 'false'} @click=${() => { this.opened = !this.opened; }}>${title}</button>
                    <span class="dim">${alarm.source_key ? source(alarm) : nothing} <span class="reading">${alarm.trigger_value ?? ''}</span>
                        ${alarm.current_value !== undefined && alarm.current_value !== alarm.trigger_value ? html`, now <span class="reading now">${alarm.current_value}</span>` : nothing}
                        ${alarm.operator && alarm.threshold !== undefined ? html`(limit ${alarm.operator} ${alarm.threshold})` : nothing}</span>
                </div>
                <span class="when" title=${clock(alarm.raised)}>${alarm.raised ? age(alarm.raised) : ''}</span>
                <span class="state">${state}${alarm.acknowledged_by && alarm.group === 'acknowledged' ? html` <span class="dim">by ${alarm.acknowledged_by}</span>` : nothing}</span>
                <div class="acts">
                    ${alarm.over ? nothing : html`
                        ${alarm.group === 'unacknowledged' ? button('Acknowledge', true, () => this.act('acknowledge', {})) : nothing}
                        ${alarm.group === 'shelved' ? button('Unshelve', false, () => this.act('unshelve', {})) : button('Shelve', false, this.shelve)}`}
                </div>
                ${this.failure ? html`<p class="bad" role="alert">${this.failure}</p>` : nothing}
                ${this.opened ? html`<div class="details">
                    <mr-alarm-details .alarm=${alarm} .reset=${this.reset}></mr-alarm-details>
                    ${alarm.group === 'unacknowledged' && !alarm.over ? html`<form class="row" @submit=${this.note}>
                        <input name="note" maxlength="500" aria-label="Note" placeholder="What is being done about it">
                        <button class="main" ?disabled=${this.busy}>Acknowledge with this note</button></form>` : nothing}
                </div>` : nothing}
            </div>`;
    }

    note(event) {
        event.preventDefault();
        this.act('acknowledge', { note: new FormData(event.target).get('note') });
    }
}

customElements.define('mr-alarm', AlarmRow);
