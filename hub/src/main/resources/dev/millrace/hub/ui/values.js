import { html, nothing } from 'lit';
import { number } from './api.js';
import { ChannelPage } from './channel-page.js';
import { curl } from './hint.js';
import { liveness } from './liveness.js';
import './points.js';

/** What the points of device channels say now: one channel at a time. */
class Values extends ChannelPage {
    hint = 'Choose a channel to see its values.';

    first() {
        return html`<p>A channel appears with its first value:</p>
            ${curl(['POST', '/api/channels/1/T', { 101: 85.5, 102: 3.2 }])}`;
    }

    card() {
        const { book, channel } = this;
        const name = this.channelName;
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
