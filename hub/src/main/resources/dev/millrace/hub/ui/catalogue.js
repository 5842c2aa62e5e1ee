import { LitElement, html, nothing } from 'lit';
import { bytes, call, number, time } from './api.js';

/** Every key there can be, and how many there are where it was measured. */
class Catalogue extends LitElement {
    static properties = { state: { state: true }, failure: { state: true }, filter: { state: true } };

    constructor() {
        super();
        this.filter = '';
        this.look = this.look.bind(this);
    }

    createRenderRoot() {
        return this;
    }

    connectedCallback() {
        super.connectedCallback();
        window.addEventListener('mr-measured', this.look);
        this.look();
    }

    disconnectedCallback() {
        super.disconnectedCallback();
        window.removeEventListener('mr-measured', this.look);
    }

    async look() {
        try {
            this.state = await call('GET', '/ops/catalogue?counts=true');
            this.failure = '';
        } catch (e) {
            this.failure = e.message;
        }
    }

    rooms() {
        const words = this.filter.toLowerCase().split(/\s+/).filter(Boolean);
        const fits = (room, each) => {
            const text = [room.name, each.name, each.about, ...each.patterns.map(key => key.pattern + ' ' + key.type)].join(' ').toLowerCase();
            return words.every(word => text.includes(word));
        };
        return (this.state?.rooms ?? [])
            .map(room => ({ ...room, declarations: room.declarations.filter(each => fits(room, each)) }))
            .filter(room => room.declarations.length);
    }

    render() {
        const rooms = this.rooms();
        const count = rooms.reduce((sum, room) => sum + room.declarations.length, 0);
        return html`
            <section class="card" aria-labelledby="keys-title">
                <div class="head">
                    <h2 id="keys-title">Keys</h2>
                    <label class="search"><span class="dim">Filter</span>
                        <input id="filter" type="search" placeholder="room, layout or pattern" .value=${this.filter}
                            @input=${event => { this.filter = event.target.value; }}></label>
                </div>
                ${this.failure ? html`<p class="bad" role="alert">${this.failure}</p>` : nothing}
                ${this.state ? html`
                    <p class="dim" role="status">${number(count)} kinds of keys. ${this.state.counted
                        ? html`Counted ${time(this.state.counted)}${this.state.unknown ? html`; ${number(this.state.unknown)} keys belong to nobody` : nothing}.`
                        : 'Measure memory to see how many there are of each.'}</p>
                    <div class="scroll" tabindex="0" role="region" aria-label="Keys, table"><table id="catalogue">
                        <thead><tr><th>Kind</th><th>Keys in Redis</th><th>Type</th><th class="n">Count</th><th class="n">Bytes</th></tr></thead>
                        ${rooms.map(room => html`<tbody>
                            <tr class="room"><th colspan="5" scope="rowgroup">${room.name} <span class="dim">${room.about}</span></th></tr>
                            ${room.declarations.map(each => this.row(each))}</tbody>`)}
                    </table></div>
                    ${count ? nothing : html`<p>Nothing fits “${this.filter}”.</p>`}` : nothing}
            </section>`;
    }

    row(each) {
        const lines = show => html`${each.patterns.map(key => html`<div>${show(key)}</div>`)}`;
        // A key that stands by itself is named after its pattern: once is enough.
        const named = each.name !== each.patterns[0]?.pattern;
        return html`<tr>
            <td>${named ? html`<strong>${each.name}</strong>` : nothing}${each.about ? html`<div class="dim">${each.about}</div>` : nothing}</td>
            <td class="keys">${lines(key => html`<code>${key.pattern}</code>`)}</td>
            <td class="types">${lines(key => html`<span class="dim">${key.type}</span>`)}</td>
            <td class="n ${each.count ? '' : 'dim'}">${each.count === null ? '' : number(each.count)}</td>
            <td class="n ${each.bytes ? '' : 'dim'}">${each.bytes === null ? '' : bytes(each.bytes)}</td></tr>`;
    }
}

customElements.define('mr-catalogue', Catalogue);
