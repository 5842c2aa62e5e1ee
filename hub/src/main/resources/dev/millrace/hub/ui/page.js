import { LitElement, html, nothing } from 'lit';
import { asksForToken, keepToken, token } from './api.js';
import './health.js';
import './rates.js';
import './memory.js';
import './fsck.js';
import './catalogue.js';

/** The page: asks for a token where one is needed, then shows its parts. */
class Page extends LitElement {
    static properties = { asking: { state: true }, why: { state: true }, round: { state: true } };

    constructor() {
        super();
        this.asking = asksForToken && !token();
        this.why = '';
        this.round = 0;
        window.addEventListener('mr-token', event => {
            this.why = token() ? event.detail : '';
            this.asking = true;
        });
    }

    createRenderRoot() {
        return this;
    }

    render() {
        return html`
            <header>
                <img src="/ui/icon.svg" alt="" width="32" height="32">
                <h1>Millrace</h1>
                <nav aria-label="More">
                    <a href="/docs">API</a>
                    <a href="/metrics">Metrics</a>
                    ${token() ? html`<button class="quiet" @click=${this.forget}>Forget token</button>` : nothing}
                </nav>
            </header>
            <main>
                <mr-health></mr-health>
                ${this.asking ? this.question() : html`
                    <mr-rates></mr-rates>
                    <mr-memory></mr-memory>
                    <mr-fsck></mr-fsck>
                    <mr-catalogue></mr-catalogue>`}
            </main>`;
    }

    question() {
        return html`
            <section class="card narrow" aria-labelledby="token-title">
                <h2 id="token-title">A token, please</h2>
                <p>This hub lets in who has a token. An admin makes one with <code>./millrace token create</code>.
                    It stays in this tab and is forgotten when you close it.</p>
                <form @submit=${this.take}>
                    <label for="token">Token</label>
                    <div class="row">
                        <input id="token" name="token" type="password" autocomplete="off" spellcheck="false" required placeholder="mr_…">
                        <button class="main">Go on</button>
                    </div>
                    ${this.why ? html`<p class="bad" role="alert">${this.why}</p>` : nothing}
                </form>
                <p><button class="quiet" @click=${() => { this.asking = false; }}>Go on without one</button>
                    <span class="dim">(for addresses named in <code>access.networks</code>)</span></p>
            </section>`;
    }

    take(event) {
        event.preventDefault();
        keepToken(new FormData(event.target).get('token').trim());
        this.why = '';
        this.asking = false;
    }

    forget() {
        keepToken('');
        this.asking = asksForToken;
        this.requestUpdate();
    }
}

customElements.define('mr-page', Page);
