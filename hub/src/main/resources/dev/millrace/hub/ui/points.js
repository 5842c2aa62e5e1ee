import { LitElement, html, nothing } from 'lit';
import { repeat } from 'lit-html/directives/repeat.js';
import { number } from './api.js';
import { age, clock } from './ems.js';
import { DRAWN } from './point-book.js';
import { spark } from './spark.js';

/** For so long it is seen that a value has changed. */
const FRESH = 900;

/** A table of points. Its rows and columns stay where they are while the values in them change. */
class Points extends LitElement {
    static properties = { book: {}, turn: {}, filter: { state: true }, page: { state: true } };

    constructor() {
        super();
        this.filter = '';
        this.page = 0;
    }

    createRenderRoot() {
        return this;
    }

    /** Another channel begins at its beginning. */
    from() {
        this.filter = '';
        this.page = 0;
    }

    fitting() {
        const words = this.filter.toLowerCase().split(/\s+/).filter(Boolean);
        const all = this.book.all();
        return words.length ? all.filter(point => {
            const text = (point.type + ' ' + point.id + ' ' + point.name + ' ' + point.unit + ' ' + point.quality).toLowerCase();
            return words.every(word => text.includes(word));
        }) : all;
    }

    render() {
        const fitting = this.fitting();
        const pages = Math.max(1, Math.ceil(fitting.length / DRAWN));
        const page = Math.min(this.page, pages - 1);
        const shown = fitting.slice(page * DRAWN, (page + 1) * DRAWN);
        const drawn = performance.now();
        return html`
            ${this.book.points.size > 8 ? html`<div class="head">
                <label class="search"><span class="dim">Filter</span>
                    <input type="search" placeholder="number, name or quality" .value=${this.filter}
                        @input=${event => { this.filter = event.target.value; this.page = 0; }}></label>
                ${pages > 1 ? html`<div class="row pager">
                    <button class="quiet" ?disabled=${page === 0} @click=${() => { this.page = page - 1; }}>Previous</button>
                    <span class="dim" role="status">${number(page * DRAWN + 1)} to ${number(page * DRAWN + shown.length)} of ${number(fitting.length)}</span>
                    <button class="quiet" ?disabled=${page === pages - 1} @click=${() => { this.page = page + 1; }}>Next</button></div>` : nothing}
            </div>` : nothing}
            <table class="points">
                <thead><tr><th class="id">Point</th><th class="name">Name</th><th class="n value">Value</th><th class="unit"></th>${this.book.sparks ? html`<th class="spark"></th>` : nothing}<th class="quality">Quality</th><th class="n age">Age</th></tr></thead>
                <tbody>${repeat(shown, point => point.key, point => this.row(point, drawn))}</tbody>
            </table>
            ${fitting.length ? nothing : html`<p class="dim">Nothing fits “${this.filter}”.</p>`}`;
    }

    row(point, drawn) {
        const label = point.states?.[point.value];
        return html`<tr>
            <td class="id"><span class="dim">${point.type}</span> ${point.id}</td>
            <td class="name">${point.name}</td>
            <td class="n value ${drawn - point.fresh < FRESH ? 'fresh' : ''}">${point.value ?? '–'}</td>
            <td class="unit">${label ?? point.unit}</td>
            ${this.book.sparks ? html`<td class="spark">${spark(point.past)}</td>` : nothing}
            <td class="quality ${point.quality}">${point.quality}</td>
            <td class="n age" title=${clock(point.at)}>${age(point.at)}</td></tr>`;
    }
}

customElements.define('mr-points', Points);
