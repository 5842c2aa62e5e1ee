import { LitElement, html, nothing } from 'lit';
import { every } from './api.js';
import { ask, clock, instant } from './ems.js';
import { flowPicture } from './flow-picture.js';

const PERIOD = 3000;
const SHOWN = 30;

/** What came of running a rule, newest first; each run as a picture. */
class RuleRuns extends LitElement {
    static properties = { rule: {}, ruleId: {}, runs: { state: true }, failure: { state: true }, open: { state: true } };

    constructor() {
        super();
        this.failure = '';
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
        const id = this.ruleId;
        if (!id) return;
        try {
            const runs = await ask('GET', '/api/rules/' + encodeURIComponent(id) + '/history?limit=' + SHOWN);
            if (id !== this.ruleId) return;
            this.runs = runs;
            this.failure = '';
        } catch (e) {
            this.failure = e.message;
        }
    }

    willUpdate(changed) {
        if (changed.has('ruleId')) {
            this.runs = undefined;
            this.open = undefined;
            this.look();
        }
    }

    render() {
        return html`
            ${this.failure ? html`<p class="bad" role="alert">${this.failure}</p>` : nothing}
            ${this.runs && !this.runs.length ? html`<p class="dim">It did not act yet. Looks that come to nothing are not kept.</p>` : nothing}
            <ul class="runs">${(this.runs ?? []).map(run => this.line(run))}</ul>`;
    }

    line(run) {
        const open = run.execution_id === this.open;
        const state = run.error ? 'failed' : !run.triggered ? 'false' : run.shadow ? 'shadow' : 'done';
        return html`<li class=${state}>
            <button class="quiet run" aria-expanded=${open} @click=${() => { this.open = open ? undefined : run.execution_id; }}>
                <span class="when">${clock(instant(run.timestamp))}</span>
                <span class="state">${run.error ?? (run.triggered ? (run.shadow ? 'would have acted' : 'acted') : 'did not act')}</span>
                <span class="dim">${run.trigger} · ${run.duration_ms} ms</span></button>
            ${open ? html`<div class="details">${flowPicture(this.rule, run)}
                <details><summary>As JSON</summary><pre>${JSON.stringify(run, null, 2)}</pre></details></div>` : nothing}</li>`;
    }
}

customElements.define('mr-rule-runs', RuleRuns);
