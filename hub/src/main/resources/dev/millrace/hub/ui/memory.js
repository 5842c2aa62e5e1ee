import { html, nothing } from 'lit';
import { bytes, number, time } from './api.js';
import { Chart, axis, tooltip } from './chart.js';
import { Chore } from './chore.js';

const MOST_BARS = 12;

/** An axis of about four marks at round numbers of bytes, to the mark above the longest bar. */
function marks(parts) {
    const most = Math.max(1, ...parts.map(part => part.values + part.indexes));
    const unit = 1024 ** Math.floor(Math.log(Math.max(most / 4, 1)) / Math.log(1024));
    const interval = unit * [1, 2, 5, 10, 20, 50, 100, 200, 500, 1024].find(each => each * unit * 4 >= most);
    return { interval, max: interval * Math.ceil(most / interval) };
}

/** Which layout takes how much memory. */
class Memory extends Chore {
    get path() {
        return '/ops/memory';
    }

    disconnectedCallback() {
        super.disconnectedCallback();
        this.chart?.end();
        this.chart = undefined;
    }

    async ask(method) {
        const known = this.state;
        await super.ask(method);
        // Told by the result, not by the end: a small site is measured before anybody saw it running.
        if (known && known.last?.at !== this.state.last?.at) {
            window.dispatchEvent(new CustomEvent('mr-measured'));
        }
    }

    async measure() {
        await this.ask('POST');
        await this.look();
    }

    updated() {
        const place = this.querySelector('.chart');
        if (!place) {
            this.chart?.end();
            this.chart = undefined;
            return;
        }
        this.chart ??= new Chart(place, (parts, color) => ({
            grid: { left: 8, right: 34, top: 30, bottom: 8, containLabel: true },
            legend: { top: 0, left: 0, icon: 'roundRect', textStyle: { color: color('--dim') } },
            tooltip: { trigger: 'axis', axisPointer: { type: 'shadow' }, valueFormatter: bytes, ...tooltip(color) },
            xAxis: { type: 'value', splitNumber: place.clientWidth < 480 ? 2 : 5, ...marks(parts), ...axis(color), axisLabel: { color: color('--dim'), formatter: bytes, hideOverlap: true } },
            yAxis: {
                type: 'category', inverse: true, data: parts.map(part => part.name), ...axis(color),
                // On a phone the names must leave room for the bars.
                axisLabel: { color: color('--dim'), width: Math.min(200, place.clientWidth * 0.4), overflow: 'truncate' },
            },
            series: [
                { name: 'Values', type: 'bar', stack: 'bytes', barMaxWidth: 18, color: color('--one'), data: parts.map(part => part.values) },
                { name: 'Indexes', type: 'bar', stack: 'bytes', barMaxWidth: 18, color: color('--two'), data: parts.map(part => part.indexes) },
            ],
        }));
        this.chart.show(this.bars());
    }

    parts() {
        return [...(this.state?.last?.parts ?? [])]
            .map(part => ({ ...part, name: part.name || 'nobody’s' }))
            .sort((one, other) => other.bytes - one.bytes);
    }

    bars() {
        const parts = this.parts();
        const rest = parts.slice(MOST_BARS);
        const sum = name => rest.reduce((total, part) => total + part[name], 0);
        return rest.length
            ? [...parts.slice(0, MOST_BARS), { name: rest.length + ' others', values: sum('values'), indexes: sum('indexes') }]
            : parts;
    }

    render() {
        const last = this.state?.last;
        const running = this.state?.running;
        return html`
            <section class="card" aria-labelledby="memory-title" aria-busy=${running ? 'true' : 'false'}>
                <div class="head">
                    <h2 id="memory-title">Memory by layout</h2>
                    <button id="measure" class="main" ?disabled=${running || !this.state} @click=${this.measure}>
                        ${running ? 'Measuring …' : last ? 'Measure again' : 'Measure'}</button>
                </div>
                ${this.failure || this.state?.failure ? html`<p class="bad" role="alert">${this.failure || this.state.failure}</p>` : nothing}
                ${running ? html`<p role="status"><progress aria-label="Measuring"></progress> ${number(this.state.seen)} keys seen</p>` : nothing}
                ${last ? this.report(last) : running || this.failure ? nothing : html`
                    <p class="dim">Not measured since the hub was started. Measuring walks over all keys in small steps,
                        while others go on writing.</p>`}
            </section>`;
    }

    report(last) {
        const parts = this.parts();
        return html`
            <p>Redis uses <strong>${bytes(last.used)}</strong>${last.max ? html` of ${bytes(last.max)}` : nothing}${last.growth !== null
                ? html`, ${bytes(last.growth)} more a day` : nothing}${last.daysLeft !== null
                ? html`; full in <strong>${number(last.daysLeft)} days</strong> if it goes on like this` : nothing}.
                <span class="dim">Measured ${time(last.at)}; bytes by layout are estimates.</span></p>
            ${parts.length ? html`
                <div class="chart tall" style="height:${70 + 28 * Math.min(parts.length, MOST_BARS + 1)}px" role="img"
                    aria-label="Bytes of values and indexes by layout; the table below has the same figures"></div>
                <details>
                    <summary>All ${parts.length} as a table</summary>
                    <div class="scroll" tabindex="0" role="region" aria-label="Memory by layout, table"><table id="memory-table">
                        <thead><tr><th>Layout</th><th class="n">Keys</th><th class="n">Values</th><th class="n">Indexes</th><th class="n">Growth a day</th></tr></thead>
                        <tbody>${parts.map(part => html`<tr><td>${part.name}</td><td class="n">${number(part.keys)}</td>
                            <td class="n">${bytes(part.values)}</td><td class="n">${bytes(part.indexes)}</td>
                            <td class="n">${part.growth === null ? '' : bytes(part.growth)}</td></tr>`)}</tbody>
                    </table></div>
                </details>` : html`<p class="dim">There are no keys yet.</p>`}`;
    }
}

customElements.define('mr-memory', Memory);
