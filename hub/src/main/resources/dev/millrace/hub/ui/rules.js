import { html, nothing } from 'lit';
import { repeat } from 'lit-html/directives/repeat.js';
import { every, number } from './api.js';
import { age, ask, clock, instant } from './ems.js';
import { Shell } from './shell.js';
import './confirm.js';
import './rule-editor.js';
import './rule-runs.js';
import './rule-rehearsal.js';

const PERIOD = 3000;
const SIZE = 100;
const PARTS = { runs: 'Runs', edit: 'Edit', rehearse: 'Rehearse' };

/** The place of a rule that is not stored yet; an id never begins so. */
const NEW = '+';

/** Business rules: which there are and how they ran; one of them with its runs, its text and its rehearsals. */
class Rules extends Shell {
    static properties = { found: { state: true }, failure: { state: true }, rule: { state: true }, part: { state: true }, told: { state: true } };

    constructor() {
        super();
        this.search = '';
        this.failure = '';
        this.told = '';
        this.part = 'runs';
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
        this.end?.();
    }

    begin() {
        this.end?.();
        this.choose();
        this.end = every(PERIOD, () => this.look());
    }

    willUpdate(changed) {
        if (changed.get('asking') === true && !this.asking) this.begin();
        if (changed.get('asking') === false && this.asking) this.end?.();
    }

    get chosen() {
        return location.hash ? decodeURIComponent(location.hash.slice(1)) : '';
    }

    choose() {
        this.rule = undefined;
        this.text = undefined;
        this.told = '';
        this.part = this.chosen === NEW ? 'edit' : 'runs';
        this.load();
        this.requestUpdate();
    }

    async look() {
        const search = this.search;
        try {
            const found = await ask('GET', '/api/rules?size=' + SIZE + (search ? '&search=' + encodeURIComponent(search) : ''));
            if (search !== this.search) return;
            this.found = found;
            this.failure = '';
        } catch (e) {
            this.failure = e.message;
        }
    }

    async load() {
        const id = this.chosen;
        if (!id || id === NEW || this.asking) return;
        try {
            const rule = await ask('GET', '/api/rules/' + encodeURIComponent(id));
            if (id === this.chosen) this.rule = rule;
        } catch (e) {
            if (id === this.chosen) this.failure = e.message;
        }
    }

    async act(verb, said) {
        try {
            await ask('POST', '/api/rules/' + encodeURIComponent(this.chosen) + '/' + verb, {});
            this.told = said;
        } catch (e) {
            this.told = e.message;
        }
        this.load();
        this.look();
        this.querySelector('mr-rule-runs')?.look();
    }

    async remove() {
        const id = this.chosen;
        if (!await this.querySelector('mr-confirm').ask('Delete ' + (this.rule?.name ?? id) + '?', 'Its runs are forgotten, too.', 'Delete')) return;
        try {
            await ask('DELETE', '/api/rules/' + encodeURIComponent(id));
            location.hash = '';
        } catch (e) {
            this.told = e.message;
        }
        this.look();
    }

    /** @param rule as it is stored now */
    saved(rule) {
        this.look();
        this.text = undefined;
        if (this.chosen === rule.id) {
            this.rule = rule;
            this.told = 'Saved.';
        } else {
            location.hash = encodeURIComponent(rule.id);
        }
    }

    parts() {
        const items = this.found?.items ?? [];
        return html`
            <div class="values wide ${this.chosen ? 'chosen' : ''}">
                <section class="card list" aria-labelledby="rules-title">
                    <div class="head"><h1 id="rules-title">Rules</h1><a class="button" id="new-rule" href=${'#' + NEW}>New rule</a></div>
                    ${this.search || this.found?.total > 8 ? html`<label class="search"><span class="dim">Search</span>
                        <input type="search" placeholder="name" @input=${event => { this.search = event.target.value.trim(); this.look(); }}></label>` : nothing}
                    <ul class="channels">${repeat(items, each => each.id, each => this.line(each))}</ul>
                    ${this.found && !items.length ? html`<p class="dim">${this.search ? 'Nothing fits “' + this.search + '”.' : 'There are none yet.'}</p>` : nothing}
                    ${this.found?.total > items.length ? html`<p class="dim">${number(items.length)} of ${number(this.found.total)}; search for the others.</p>` : nothing}
                </section>
                ${this.chosen ? this.card() : html`<section class="card other"><p class="dim">Choose a rule to see how it ran, or make a new one.</p>
                    ${this.failure ? html`<p class="bad" role="alert">${this.failure}</p>` : nothing}</section>`}
            </div>
            <mr-confirm></mr-confirm>`;
    }

    line(rule) {
        const last = rule.last_run;
        const at = instant(last?.at);
        const dot = rule.status !== 'enabled' ? 'offline' : last?.result === 'failed' ? 'error' : 'online';
        return html`<li><a href=${'#' + encodeURIComponent(rule.id)} aria-current=${rule.id === this.chosen ? 'true' : nothing}>
            <span class="dot ${dot}" aria-hidden="true"></span>
            <span class="name">${rule.name ?? rule.id}</span>
            <span class="dim">${[rule.id, rule.status, rule.shadow ? 'shadow' : ''].filter(Boolean).join(' · ')}</span>
            <span class="dim since" title=${clock(at)}>${last ? (last.result === 'failed' ? 'failed ' : 'ran ') + age(at) + ' ago' : 'never ran'}</span></a></li>`;
    }

    card() {
        const isNew = this.chosen === NEW;
        const { rule } = this;
        const title = isNew ? 'New rule' : rule?.name ?? this.chosen;
        document.title = title + ' – Rules – Millrace';
        return html`
            <section class="card rule" aria-labelledby="rule-title">
                <div class="head">
                    <div><a class="back" href="#">← Rules</a>
                        <h2 id="rule-title">${title}</h2>
                        <p class="dim" id="rule-state">${rule ? [rule.id, rule.status, rule.description].filter(Boolean).join(' · ') : ''}</p></div>
                    ${rule ? html`<div class="row">
                        ${rule.status === 'enabled'
                            ? html`<button id="disable" @click=${() => this.act('disable', 'It does not run any more.')}>Disable</button>`
                            : html`<button id="enable" @click=${() => this.act('enable', 'It runs.')}>Enable</button>`}
                        <button id="run" @click=${() => this.act('execute?force=true', 'It ran.')}>Run now</button>
                        <button class="quiet" id="delete" @click=${this.remove}>Delete</button></div>` : nothing}
                </div>
                ${this.failure ? html`<p class="bad" role="alert">${this.failure}</p>` : nothing}
                ${this.told ? html`<p role="status" id="told">${this.told}</p>` : nothing}
                <div class="choices" role="group" aria-label="What is shown">${Object.entries(PARTS).filter(([part]) => !isNew || part !== 'runs').map(([part, name]) => html`
                    <button class="choice" id=${'part-' + part} aria-pressed=${this.part === part} @click=${() => { this.part = part; }}>${name}</button>`)}</div>
                ${rule || isNew ? this.shown(isNew ? '' : rule.id) : nothing}
            </section>`;
    }

    shown(id) {
        if (this.part === 'edit') {
            return html`<mr-rule-editor .rule=${this.rule} .text=${this.text ?? ''} @mr-typed=${event => { this.text = event.detail; }}
                @mr-saved=${event => this.saved(event.detail)}></mr-rule-editor>`;
        }
        if (this.part === 'rehearse') {
            return html`<mr-rule-rehearsal .rule=${this.rule} .text=${this.text ?? ''}></mr-rule-rehearsal>`;
        }
        return html`<mr-rule-runs .rule=${this.rule} .ruleId=${id}></mr-rule-runs>`;
    }
}

customElements.define('mr-rules', Rules);
