import { html, nothing } from 'lit';
import { number, span, time } from './api.js';
import { Chore } from './chore.js';

/** Compares values and indexes, and repairs them. */
class Fsck extends Chore {
    get path() {
        return '/ops/fsck';
    }

    async start(repair) {
        await this.ask('POST', { repair });
        await this.look();
    }

    async stop() {
        await this.ask('DELETE');
        await this.look();
    }

    render() {
        const { running, progress, last, failure } = this.state ?? {};
        return html`
            <section class="card" aria-labelledby="fsck-title" aria-busy=${running ? 'true' : 'false'}>
                <div class="head">
                    <h2 id="fsck-title">Values and indexes</h2>
                    <div class="row">${running
                        ? html`<button class="quiet" @click=${this.stop}>Stop</button>`
                        : html`<button id="check" class="main" ?disabled=${!this.state} @click=${() => this.start(false)}>Check</button>
                            <button class="quiet" ?disabled=${!this.state} @click=${() => this.start(true)}>Check and repair</button>`}</div>
                </div>
                ${this.failure || failure ? html`<p class="bad" role="alert">${this.failure || failure}</p>` : nothing}
                ${running ? html`<div role="status">
                    ${progress ? html`<progress max="100" value=${progress.percent} aria-label="Checking"></progress>
                        ${progress.percent} %, ${number(progress.drift)} differences${progress.secondsLeft !== null
                            ? html`, about ${span(progress.secondsLeft)} left` : nothing}`
                        : html`<progress aria-label="Checking"></progress> checking`}</div>` : nothing}
                ${last ? this.report(last) : running || this.failure ? nothing : html`
                    <p class="dim">Not checked since the hub was started. A check looks whether every index entry leads to its value
                        and every value has its entries; a repair never removes a value.</p>`}
            </section>`;
    }

    report(last) {
        const found = Object.entries(last.found);
        return html`
            <p>${last.end === 'stopped' ? 'It was stopped; the next one begins anew. ' : nothing}
                <strong class=${last.left ? 'bad' : 'good'}>${found.length === 0 ? 'Nothing is wrong'
                    : last.left ? number(last.left) + ' differences' : 'All was repaired'}</strong>
                in ${number(last.values)} values and ${number(last.entries)} index entries.
                ${last.unknown ? html`${number(last.unknown)} keys belong to nobody.` : nothing}
                <span class="dim">${time(last.at)}</span></p>
            ${found.length ? html`
                <p>${found.map(([kind, count]) => html`<span class="chip">${kind}: ${number(count)}</span> `)}
                    ${last.repaired ? html`<span class="chip good">repaired: ${number(last.repaired)}</span>` : nothing}</p>
                <details><summary>The first ${last.differences.length}</summary><ul class="plain-list">
                    ${last.differences.map(each => html`<li><code>${each.key}</code> ${each.detail}${each.repaired ? ' Repaired.' : ''}</li>`)}
                </ul></details>` : nothing}`;
    }
}

customElements.define('mr-fsck', Fsck);
