import { html } from 'lit';
import { clock } from './ems.js';

/** Whether what is shown is what is, in a word; why not, in a sentence. */
export const liveness = live => (live.on
    ? html`<p class="liveness on" role="status"><span class="dot" aria-hidden="true"></span>Live</p>`
    : live.since
        ? html`<p class="liveness off" role="status"><span class="dot" aria-hidden="true"></span>
            <span><strong>Not live since ${clock(live.since)}.</strong> ${live.why} It is tried again and again; what you see may be old.</span></p>`
        : html`<p class="liveness" role="status"><span class="dot" aria-hidden="true"></span>Connecting</p>`);
