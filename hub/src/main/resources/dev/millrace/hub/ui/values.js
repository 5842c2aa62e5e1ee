import { html, nothing } from 'lit';
import { number } from './api.js';
import { curl } from './hint.js';
import { Live } from './live.js';
import { liveness } from './liveness.js';
import { PointBook } from './point-book.js';
import { Shell } from './shell.js';
import './channels.js';
import './points.js';

/** What the points of device channels say now: one channel at a time. */
class Values extends Shell {
    static properties = { channels: { state: true } };

    constructor() {
        super();
        this.turn = 0;
        this.book = new PointBook(() => this.requestUpdate());
        this.live = new Live(['telemetry'], (feed, fact) => this.book.heard(fact), anew => {
            if (anew || !this.book.loaded) this.load();
            this.requestUpdate();
        });
        this.moved = () => this.choose();
        // Nobody looks: nothing has to be sent.
        this.seen = () => (document.hidden ? this.stop() : this.begin());
    }

    connectedCallback() {
        super.connectedCallback();
        window.addEventListener('hashchange', this.moved);
        document.addEventListener('visibilitychange', this.seen);
        if (!this.asking) this.begin();
        this.choose();
    }

    disconnectedCallback() {
        super.disconnectedCallback();
        window.removeEventListener('hashchange', this.moved);
        document.removeEventListener('visibilitychange', this.seen);
        this.stop();
    }

    begin() {
        this.stop();
        if (this.asking) return;
        this.live.begin();
        this.ticking = setInterval(() => this.requestUpdate(), 1000);
    }

    stop() {
        this.live.end();
        clearInterval(this.ticking);
    }

    willUpdate(changed) {
        if (changed.get('asking') === true && !this.asking) {
            this.begin();
            this.choose();
        }
        if (changed.get('asking') === false && this.asking) this.stop();
    }

    get chosen() {
        return /^#(\d+)$/.exec(location.hash)?.[1];
    }

    choose() {
        if (this.asking) return;
        if (this.chosen !== String(this.book.channel)) {
            this.book.clear();
            this.querySelector('mr-points')?.from();
            // If nothing is heard yet, it is asked for as soon as something is: so nothing is missed in between.
            if (this.live.on || this.live.since) this.load();
        }
        this.requestUpdate();
    }

    load() {
        if (this.chosen) this.book.load(Number(this.chosen));
    }

    /** The list was asked for again. What has gone offline or come back has other qualities. */
    listed(found) {
        const state = this.channel?.status;
        this.channels = found;
        if (state !== undefined && this.channel?.status !== state) this.load();
    }

    get channel() {
        return this.channels?.items.find(channel => String(channel.id) === this.chosen);
    }

    parts() {
        const none = this.channels && !this.channels.total;
        return html`
            <div class="values wide ${this.chosen ? 'chosen' : ''}">
                <section class="card list" aria-labelledby="channels-title">
                    <div class="head"><h1 id="channels-title">Channels</h1>${this.chosen ? nothing : liveness(this.live)}</div>
                    <mr-channels ?hidden=${none} .chosen=${this.chosen} @mr-channels=${event => this.listed(event.detail)}></mr-channels>
                    ${none ? html`<p class="dim">There are none yet.</p>` : nothing}
                </section>
                ${this.chosen ? this.card() : none ? html`<section class="card other first"><p>A channel appears with its first value:</p>
                    ${curl(['POST', '/api/channels/1/T', { 101: 85.5, 102: 3.2 }])}</section>`
                    : html`<section class="card other"><p class="dim">Choose a channel to see its values.</p></section>`}
            </div>`;
    }

    card() {
        const { book, channel } = this;
        const name = channel?.name && channel.name !== this.chosen ? channel.name : 'Channel ' + this.chosen;
        document.title = name + ' – Values – Millrace';
        return html`
            <section class="card points" aria-labelledby="points-title">
                <div class="head">
                    <div><a class="back" href="#">← Channels</a>
                        <h2 id="points-title">${name}</h2>
                        <p class="dim">${[channel?.protocol, channel?.status, book.loaded ? number(book.points.size) + (book.points.size === 1 ? ' point' : ' points') : ''].filter(Boolean).join(' · ')}</p></div>
                    ${liveness(this.live)}
                </div>
                ${book.failure ? html`<p class="bad" role="alert">${book.failure}</p>` : nothing}
                ${book.points.size ? html`<mr-points .book=${book} .turn=${++this.turn}></mr-points>`
                    : book.loaded ? html`<p>This channel has no values yet. Send some:</p>${curl(['POST', '/api/channels/' + this.chosen + '/T', { 101: 85.5, 102: 3.2 }])}` : nothing}
            </section>`;
    }
}

customElements.define('mr-values', Values);
