import { html, nothing } from 'lit';
import { bytes, call, every, number, span, time } from './api.js';
import { Shell } from './shell.js';

const PERIOD = 2000;
const SHOWN = 20;

/** A web shop: who is there, what they look at and want, and what is kept of the database and its pages. */
class Shop extends Shell {
    static properties = {
        stats: { state: true }, sessions: { state: true }, popular: { state: true }, rows: { state: true }, cache: { state: true }, pages: { state: true },
        chosen: { state: true }, cart: { state: true }, views: { state: true }, failure: { state: true },
    };

    connectedCallback() {
        super.connectedCallback();
        this.end = every(PERIOD, () => (this.asking ? undefined : this.look()));
    }

    disconnectedCallback() {
        super.disconnectedCallback();
        this.end();
    }

    willUpdate(changed) {
        if (changed.get('asking') === true && !this.asking) this.look();
    }

    async look() {
        try {
            [this.stats, this.popular, this.rows, this.cache, this.pages] = await Promise.all([
                call('GET', '/shop/stats'),
                call('GET', '/shop/items/popular?limit=' + SHOWN),
                call('GET', '/shop/rows/schedule?limit=' + SHOWN),
                call('GET', '/shop/cache/stats'),
                call('GET', '/shop/cache/pages?limit=' + SHOWN),
            ]);
            this.failure = '';
        } catch (e) {
            this.failure = e.message;
            return;
        }
        if (this.sessions !== null) {
            try {
                this.sessions = (await call('GET', '/shop/sessions?limit=' + SHOWN)).sessions;
            } catch (e) {
                // Who has a token can be whom it stands for: not everybody may see them.
                if (e.status === 403) this.sessions = null;
                else this.failure = e.message;
            }
        }
        if (this.chosen) await this.choose(this.chosen);
    }

    async choose(token) {
        this.chosen = token;
        const path = encodeURIComponent(token);
        try {
            const [cart, views] = await Promise.all([
                call('GET', '/shop/carts/' + path + '?expand=rows'),
                call('GET', '/shop/sessions/' + path + '/views'),
            ]);
            if (this.chosen === token) {
                this.cart = cart;
                this.views = views;
            }
        } catch (e) {
            this.failure = e.message;
        }
    }

    parts() {
        return html`
            <h1 class="unseen">Shop</h1>
            ${this.failure ? html`<p class="bad wide" role="alert">${this.failure}</p>` : nothing}
            ${this.stats ? html`${this.tiles()}${this.sessionsCard()}${this.visitorCard()}${this.popularCard()}${this.rowsCard()}${this.pagesCard()}` : nothing}`;
    }

    tiles() {
        const { sessions, rows, carts } = this.stats;
        return html`
            <section class="card wide" aria-labelledby="shop-title">
                <h2 id="shop-title">Shop</h2>
                ${rows.trouble ? html`<p class="bad" role="alert">The database does not answer: ${rows.trouble}</p>` : nothing}
                <dl class="tiles">
                    ${tile('Sessions', number(sessions.count), sessions.cleaned ? number(sessions.cleaned) + ' cleaned so far' : 'at most ' + number(sessions.limit))}
                    ${tile('Rows from the cache', rate(rows.hits + rows.stale, rows.misses), number(rows.hits + rows.stale) + ' of ' + number(rows.hits + rows.stale + rows.misses) + ' at this hub')}
                    ${tile('Rows refreshed', number(rows.refreshes), rows.failures ? number(rows.failures) + ' failed' : 'none failed')}
                    ${tile('Cart changes', number(carts.changes), number(carts.conflicts) + ' refused: the cart had changed')}
                </dl>
            </section>`;
    }

    sessionsCard() {
        return html`
            <section class="card" aria-labelledby="sessions-title">
                <h2 id="sessions-title">Sessions</h2>
                ${this.sessions === null ? html`<p class="dim">Only operators see them: who has a token can be whom it stands for.</p>`
                    : !this.sessions?.length ? html`<p class="dim">Nobody is there.</p>`
                    : html`<div class="scroll"><table class="sessions"><thead><tr><th>User</th><th>Token</th><th>Seen</th></tr></thead>
                        <tbody>${this.sessions.map(session => html`<tr aria-current=${session.token === this.chosen ? 'true' : nothing}>
                            <td>${session.user ?? html`<span class="dim">nobody yet</span>`}</td>
                            <td><button class="quiet" title="Cart and views" @click=${() => this.choose(session.token)}><code>${session.token.slice(0, 8)}…</code></button></td>
                            <td title=${time(session.lastSeen)}>${ago(session.lastSeen)}</td></tr>`)}</tbody></table></div>`}
            </section>`;
    }

    visitorCard() {
        return html`
            <section class="card" aria-labelledby="cart-title">
                <h2 id="cart-title">Cart</h2>
                <form class="row" @submit=${event => { event.preventDefault(); this.choose(new FormData(event.target).get('token').trim()); }}>
                    <label class="unseen" for="cart-token">Token</label>
                    <input id="cart-token" name="token" required minlength="16" maxlength="128" placeholder="token of a visitor" autocomplete="off" spellcheck="false">
                    <button>Show</button>
                </form>
                ${this.cart && this.chosen === this.cart.token ? html`
                    ${this.cart.items.length ? html`<div class="scroll"><table class="cart"><thead><tr><th>Item</th><th class="n">Quantity</th><th>In the database</th></tr></thead>
                        <tbody>${this.cart.items.map(line => html`<tr><td>${line.item}</td><td class="n">${number(line.quantity)}</td>
                            <td>${line.row ? (line.row.name ?? 'known') : html`<span class="dim">not known</span>`}${line.row && !line.available ? html` <strong class="bad">too few</strong>` : nothing}</td></tr>`)}</tbody></table></div>`
                        : html`<p class="dim">The cart is empty.</p>`}
                    <p class="dim">Version ${this.cart.version}${this.cart.updatedAt ? ', changed ' + ago(this.cart.updatedAt) : ''}.
                        ${this.views?.length ? 'Looked at last: ' + this.views.slice(0, 5).map(view => view.item).join(', ') + '.' : ''}</p>` : nothing}
            </section>`;
    }

    popularCard() {
        const most = this.popular?.[0]?.views ?? 1;
        return html`
            <section class="card" aria-labelledby="popular-title">
                <h2 id="popular-title">Popular items</h2>
                ${this.popular?.length ? html`<div class="scroll"><table class="popular"><thead><tr><th class="n">Rank</th><th>Item</th><th class="n">Views</th><th></th></tr></thead>
                    <tbody>${this.popular.map(place => html`<tr><td class="n">${place.rank}</td><td>${place.item}</td><td class="n">${+place.views.toFixed(2)}</td>
                        <td><progress max=${most} value=${place.views} aria-hidden="true"></progress></td></tr>`)}</tbody></table></div>
                    <p class="dim">Pages of the first ${number(this.stats.views.cacheable)} are worth keeping. All counts are halved every ${span(this.stats.views.rescaleSeconds)}.</p>`
                    : html`<p class="dim">Nothing was looked at yet.</p>`}
            </section>`;
    }

    rowsCard() {
        return html`
            <section class="card" aria-labelledby="rows-title">
                <h2 id="rows-title">Rows kept fresh</h2>
                ${this.rows?.length ? html`<div class="scroll"><table class="rows"><thead><tr><th>Row</th><th class="n">Every</th><th>Read</th><th>State</th></tr></thead>
                    <tbody>${this.rows.map(row => html`<tr><td>${row.table} ${row.id}</td><td class="n">${row.delay} s</td>
                        <td>${row.lastOk ? ago(row.lastOk) : '–'}</td>
                        <td>${row.missingSince ? 'not in the database' : row.failures ? html`<strong class="bad">${number(row.failures)} failures</strong>` : 'fresh'}</td></tr>`)}</tbody></table></div>
                    <p class="dim">${number(this.stats.rows.scheduled)} scheduled; others are kept for a while after somebody asked for them.</p>`
                    : html`<p class="dim">No row is scheduled. Those that somebody asks for are kept for a while.</p>`}
            </section>`;
    }

    pagesCard() {
        const { address, pages: kept, bytes: size, requests } = this.cache;
        const good = requests.hit + requests.stale + requests.collapsed + requests.revalidated;
        return html`
            <section class="card wide" aria-labelledby="pages-title">
                <h2 id="pages-title">Pages</h2>
                <dl class="tiles">
                    ${tile('Kept', number(kept), bytes(size))}
                    ${tile('From the cache', rate(good, requests.miss), number(good) + ' of ' + number(good + requests.miss) + ' that could be')}
                    ${tile('Passed on', number(requests.pass + requests.uncacheable), 'not for the cache')}
                    ${tile('Served at', address ? html`<a href=${address}>${address.replace('http://', '')}</a>` : '–', address ? '' : 'shop.proxy.port is off')}
                </dl>
                ${this.pages.length ? html`<div class="scroll"><table class="pages"><thead><tr><th>Page</th><th class="n">Rank</th><th class="n">Age</th><th>Why</th></tr></thead>
                    <tbody>${this.pages.map(page => html`<tr><td>${page.url}</td><td class="n">${page.rank ?? '–'}</td><td class="n">${page.age === null ? '–' : span(page.age)}</td>
                        <td>${page.kind === 'page' ? 'popular: ' + (page.ttl > 0 ? 'fresh for ' + span(page.ttl) : 'old, serves while it is refreshed') : page.kind === 'varies' ? page.why : 'not kept: ' + page.why}</td></tr>`)}</tbody></table></div>` : nothing}
            </section>`;
    }
}

const tile = (name, value, more) => html`<div class="tile"><dt>${name}</dt><dd>${value}</dd>${more ? html`<dd class="dim">${more}</dd>` : nothing}</div>`;

const rate = (good, other) => (good + other ? Math.round(100 * good / (good + other)) + ' %' : '–');

const ago = text => {
    const seconds = Math.max(0, (Date.now() - Date.parse(text)) / 1000);
    return seconds < 2 ? 'just now' : span(seconds) + ' ago';
};

customElements.define('mr-shop', Shop);
