import { LitElement, html, nothing } from 'lit';
import { call, every } from './api.js';

/** Whether the hub can do its work, and why not. */
class Health extends LitElement {
    static properties = { state: { state: true }, failure: { state: true } };

    createRenderRoot() {
        return this;
    }

    connectedCallback() {
        super.connectedCallback();
        this.end = every(3000, async () => {
            try {
                this.state = await call('GET', '/health/ready');
                this.failure = '';
            } catch (e) {
                this.failure = e.message;
            }
        });
    }

    disconnectedCallback() {
        super.disconnectedCallback();
        this.end();
    }

    render() {
        const reasons = this.failure ? [this.failure] : this.state?.reasons ?? [];
        const known = this.failure || this.state;
        const warnings = this.state?.warnings ?? [];
        const good = known && reasons.length === 0;
        return html`
            <section class="card health ${known ? (good ? 'good' : 'bad') : ''}" aria-labelledby="health-title" aria-live="polite">
                <h2 id="health-title"><span class="mark" aria-hidden="true">${known ? (good ? '✓' : '!') : '…'}</span>
                    ${known ? (good ? 'Ready' : 'Not ready') : 'Looking'}</h2>
                ${good ? html`<p>Redis answers and takes writes; what is read from feeds keeps up.</p>` : nothing}
                ${warnings.length ? html`<ul class="warnings">${warnings.map(warning => html`<li>${warning}</li>`)}</ul>` : nothing}
                ${reasons.length ? html`<ul>${reasons.map(reason => html`<li>${reason}</li>`)}</ul>` : nothing}
            </section>`;
    }
}

customElements.define('mr-health', Health);
