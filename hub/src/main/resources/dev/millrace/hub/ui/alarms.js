import { html, nothing } from 'lit';
import { repeat } from 'lit-html/directives/repeat.js';
import { number } from './api.js';
import { AlarmBook, GROUPS, LEVELS } from './alarm-book.js';
import { ask } from './ems.js';
import { curl } from './hint.js';
import { Live } from './live.js';
import { liveness } from './liveness.js';
import { Shell } from './shell.js';
import './alarm-row.js';
import './alarm-events.js';
import './alarm-shelve.js';

/** So many are acknowledged with one call. */
const AT_ONCE = 100;

/** What is wrong, and who takes care of it. */
class Alarms extends Shell {
    static properties = { group: { state: true }, level: { state: true }, told: { state: true } };

    constructor() {
        super();
        this.group = '';
        this.level = '';
        this.told = '';
    }

    connectedCallback() {
        super.connectedCallback();
        if (!this.asking) this.begin();
    }

    disconnectedCallback() {
        super.disconnectedCallback();
        this.stop();
    }

    /** With the token that there is now; nothing is asked for before there is one. */
    begin() {
        this.stop();
        this.book = new AlarmBook(() => this.show());
        this.live = new Live(['alarms'], (feed, fact) => this.heard(fact), anew => {
            if (anew || !this.book.loaded) this.all();
            this.show();
        });
        this.live.begin();
        this.ticking = setInterval(() => {
            if (this.live.on && !document.hidden) this.book.look();
            this.requestUpdate();
        }, 1000);
    }

    stop() {
        this.book?.end();
        this.live?.end();
        clearInterval(this.ticking);
    }

    willUpdate(changed) {
        if (changed.get('asking') === true && !this.asking) this.begin();
        if (changed.get('asking') === false && this.asking) this.stop();
    }

    all() {
        this.book.reload();
        this.happened();
    }

    heard(fact) {
        const { rule_id: id } = JSON.parse(fact);
        if (id) this.book.touch(id);
        this.happened();
    }

    happened() {
        this.updateComplete.then(() => this.querySelector('mr-alarm-events')?.look());
    }

    show() {
        const waiting = this.in('unacknowledged').length;
        // Seen in the tab too, while somebody looks at another one.
        document.title = (waiting ? '(' + waiting + ') ' : '') + 'Alarms – Millrace';
        this.requestUpdate();
    }

    in(group, level) {
        return this.book.all().filter(alarm => !alarm.over && (!group || alarm.group === group) && (!level || alarm.level === level));
    }

    async acknowledgeAll(alarms) {
        this.told = 'Acknowledging …';
        let done = 0;
        const failed = [];
        try {
            for (let from = 0; from < alarms.length; from += AT_ONCE) {
                const answer = await ask('POST', '/api/alarms/acknowledge', { ids: alarms.slice(from, from + AT_ONCE).map(alarm => alarm.id) });
                done += answer.acknowledged.length;
                failed.push(...answer.failed);
            }
            this.told = number(done) + ' acknowledged.' + (failed.length ? ' ' + number(failed.length) + ' not, the first because: ' + failed[0].reason : '');
        } catch (e) {
            this.told = e.message;
        }
        this.all();
    }

    parts() {
        const { book, live } = this;
        if (!book) return nothing;
        const shown = book.all().filter(alarm => (this.group ? alarm.group === this.group : alarm.group !== 'shelved' && alarm.group !== 'silent' || alarm.over)
            && (!this.level || alarm.level === this.level));
        const waiting = shown.filter(alarm => alarm.group === 'unacknowledged' && !alarm.over);
        return html`
            <section class="card wide" aria-labelledby="alarms-title">
                <div class="head">
                    <h1 id="alarms-title" role="status">${this.summary()}</h1>
                    ${waiting.length > 1 ? html`<button class="main" id="acknowledge-all" @click=${() => this.acknowledgeAll(waiting)}>Acknowledge these ${number(waiting.length)}</button>` : nothing}
                    ${liveness(live)}
                </div>
                ${book.failure ? html`<p class="bad" role="alert">${book.failure}</p>` : nothing}
                ${book.alarms.size ? this.filters() : nothing}
                ${this.told ? html`<p role="status">${this.told}</p>` : nothing}
                ${shown.length ? html`<ul class="alarms" @mr-acted=${event => book.acted(event.detail)}
                    @mr-shelve=${event => this.querySelector('mr-shelve').ask(event.detail.alarm, event.detail.then)}>
                    ${repeat(shown, alarm => alarm.id, alarm => html`<li><mr-alarm .alarm=${alarm} .second=${Date.now()}></mr-alarm></li>`)}
                </ul>` : nothing}
                ${book.loaded && !shown.length ? this.nothingHere() : nothing}
                ${book.total > book.alarms.size ? html`<p class="dim">${number(book.total)} are open; these are ${number(book.alarms.size)} of them.</p>` : nothing}
            </section>
            <mr-alarm-events class="wide"></mr-alarm-events>
            <mr-shelve></mr-shelve>`;
    }

    summary() {
        if (!this.book.loaded) return 'Alarms';
        const waiting = this.in('unacknowledged').length;
        const taken = this.in('acknowledged').length;
        if (waiting) return number(waiting) + ' unacknowledged ' + (waiting === 1 ? 'alarm' : 'alarms');
        return taken ? 'All alarms are acknowledged' : 'No alarm is open';
    }

    filters() {
        const choose = (name, chosen, count, take) => html`
            <button class="choice" aria-pressed=${chosen ? 'true' : 'false'} @click=${take}>${name} <span class="count">${number(count)}</span></button>`;
        const open = this.in('unacknowledged').length + this.in('acknowledged').length;
        return html`<div class="filters">
            <div class="choices" role="group" aria-label="State">
                ${choose('Open', !this.group, open, () => { this.group = ''; })}
                ${Object.entries(GROUPS).map(([group, name]) => choose(name, this.group === group, this.in(group).length, () => { this.group = group; }))}
            </div>
            <div class="choices" role="group" aria-label="Level">
                ${LEVELS.map(level => ({ level, count: this.in('', level).length })).filter(({ level, count }) => count || this.level === level).map(({ level, count }) =>
                    choose(level, this.level === level, count, () => { this.level = this.level === level ? '' : level; }))}
            </div>
        </div>`;
    }

    nothingHere() {
        return this.book.alarms.size
            ? html`<p class="dim">None of this kind${this.group || this.level ? '' : '; some are shelved'}.</p>`
            : html`<p>Nothing has crossed a limit. To see an alarm, say what the limit of a point is, and send a value above it:</p>
                ${curl(['PUT', '/api/alarm-rules/temp_high_1', { source_key: 'comsrv:1:T', field: '101', threshold: 85, alarm_title: 'Boiler is at {value} degrees', alarm_level: 'Major' }],
                    ['POST', '/api/channels/1/T', { 101: 86.2 }])}`;
    }
}

customElements.define('mr-alarms', Alarms);
