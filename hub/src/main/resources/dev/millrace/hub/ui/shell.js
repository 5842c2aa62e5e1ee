import { LitElement, html, nothing } from 'lit';
import { asksForToken, keepToken, token } from './api.js';

const PAGES = [['/', 'Hub'], ['/ui/alarms', 'Alarms'], ['/ui/values', 'Values'], ['/ui/channels', 'Channels'], ['/ui/models', 'Models'], ['/ui/rules', 'Rules'], ['/ui/history', 'History'], ['/ui/shop', 'Shop']];

/** What all pages have: the way to the others, and the question for a token where one is needed. */
export class Shell extends LitElement {
    static properties = { asking: { state: true }, why: { state: true } };

    constructor() {
        super();
        this.asking = asksForToken && !token();
        this.why = '';
        window.addEventListener('mr-token', event => {
            this.why = token() ? event.detail : '';
            this.asking = true;
        });
    }

    createRenderRoot() {
        return this;
    }

    /** What is shown without a token too. */
    open() {
        return nothing;
    }

    /** What is shown to those who may look. */
    parts() {
        return nothing;
    }

    render() {
        const here = location.pathname === '/ui' ? '/' : location.pathname;
        return html`
            <header>
                <a class="brand" href="/"><img src="/ui/icon.svg" alt="" width="32" height="32"><span>Millrace</span></a>
                <nav class="pages" aria-label="Pages">${PAGES.map(([path, name]) => html`
                    <a href=${path} aria-current=${path === here ? 'page' : nothing}>${name}</a>`)}</nav>
                <nav class="more" aria-label="More">
                    <a href="/docs">API</a>
                    ${asksForToken ? nothing : html`<a href="/metrics">Metrics</a>`}
                    ${token() ? html`<button class="quiet" @click=${this.forget}>Forget token</button>` : nothing}
                </nav>
            </header>
            <main>
                ${this.open()}
                ${this.asking ? this.question() : this.parts()}
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
