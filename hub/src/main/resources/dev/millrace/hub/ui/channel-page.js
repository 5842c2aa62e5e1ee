import { html, nothing } from 'lit';
import { Live } from './live.js';
import { liveness } from './liveness.js';
import { PointBook } from './point-book.js';
import { Shell } from './shell.js';
import './channels.js';

/** A page about one channel of many: a list of them, and what is known of the one that the address names. */
export class ChannelPage extends Shell {
    static properties = { channels: { state: true } };

    constructor(sparks = 0) {
        super();
        this.turn = 0;
        this.book = new PointBook(() => this.requestUpdate(), sparks);
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

    get channelName() {
        const { channel } = this;
        return channel?.name && channel.name !== this.chosen ? channel.name : 'Channel ' + this.chosen;
    }

    /** Instead of a card where there are no channels yet. */
    first() {
        return nothing;
    }

    /** What to do with the list. */
    hint = '';

    parts() {
        const none = this.channels && !this.channels.total;
        return html`
            <div class="values wide ${this.chosen ? 'chosen' : ''}">
                <section class="card list" aria-labelledby="channels-title">
                    <div class="head"><h1 id="channels-title">Channels</h1>${this.chosen ? nothing : liveness(this.live)}</div>
                    <mr-channels ?hidden=${none} .chosen=${this.chosen} @mr-channels=${event => this.listed(event.detail)}></mr-channels>
                    ${none ? html`<p class="dim">There are none yet.</p>` : nothing}
                </section>
                ${this.chosen ? this.card() : none ? html`<section class="card other first">${this.first()}</section>`
                    : html`<section class="card other"><p class="dim">${this.hint}</p></section>`}
            </div>`;
    }
}
