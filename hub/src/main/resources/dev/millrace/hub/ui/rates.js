import { LitElement, html, nothing } from 'lit';
import { bytes, call, every, number, span } from './api.js';
import { Chart, axis, tooltip } from './chart.js';

const KEPT = 60;
const PERIOD = 2000;

const rate = value => (value >= 100 ? number(Math.round(value)) : value.toFixed(1));

/** How much the hub does now, told from two looks at its counters. */
class Rates extends LitElement {
    static properties = { now: { state: true }, failure: { state: true } };

    constructor() {
        super();
        this.points = [];
    }

    createRenderRoot() {
        return this;
    }

    connectedCallback() {
        super.connectedCallback();
        this.end = every(PERIOD, () => this.look());
    }

    disconnectedCallback() {
        super.disconnectedCallback();
        this.end();
        this.chart?.end();
        this.chart = undefined;
    }

    async look() {
        try {
            const figures = await call('GET', '/ops/figures');
            // Not "before": every element has a method of that name.
            const before = this.earlier;
            this.earlier = figures;
            const seconds = before ? (new Date(figures.at) - new Date(before.at)) / 1000 : 0;
            // A hub that was restarted counts from nothing.
            const per = name => (seconds > 0 && figures[name] >= before[name] ? (figures[name] - before[name]) / seconds : 0);
            this.now = { ...figures, http: per('requests'), redis: per('redisRequests'), first: !before };
            if (before) {
                this.points = [...this.points, { at: new Date(figures.at), http: this.now.http, redis: this.now.redis }].slice(-KEPT);
            }
            this.failure = '';
        } catch (e) {
            this.failure = e.message;
        }
    }

    updated() {
        const place = this.querySelector('.chart');
        if (place && !this.chart) {
            this.chart = new Chart(place, (points, color) => ({
                // The last time stands under the right edge, half of it beyond.
                grid: { left: 8, right: 34, top: 30, bottom: 4, containLabel: true },
                legend: { top: 0, left: 0, icon: 'roundRect', itemHeight: 3, textStyle: { color: color('--dim') } },
                tooltip: { trigger: 'axis', valueFormatter: value => rate(value) + ' /s', ...tooltip(color) },
                xAxis: { type: 'time', ...axis(color), splitLine: { show: false }, axisLabel: { color: color('--dim'), hideOverlap: true, margin: 12 } },
                yAxis: { type: 'value', min: 0, splitNumber: 3, ...axis(color) },
                series: [
                    { name: 'HTTP requests', type: 'line', showSymbol: false, color: color('--one'), data: points.map(p => [p.at, p.http]) },
                    { name: 'Redis calls', type: 'line', showSymbol: false, color: color('--two'), data: points.map(p => [p.at, p.redis]) },
                ],
            }));
        }
        this.chart?.show(this.points);
    }

    render() {
        const now = this.now;
        const tile = (label, value, more) => html`<div class="tile"><dt>${label}</dt><dd>${value}</dd><dd class="dim">${more}</dd></div>`;
        return html`
            <section class="card" aria-labelledby="rates-title">
                <h2 id="rates-title">Now</h2>
                ${this.failure ? html`<p class="bad" role="alert">${this.failure}</p>` : nothing}
                ${now ? html`
                    <dl class="tiles">
                        ${tile('HTTP requests', now.first ? '…' : rate(now.http) + ' /s', number(now.connections) + ' connections')}
                        ${tile('Redis calls', now.first ? '…' : rate(now.redis) + ' /s', number(now.redisWaiting) + ' waiting')}
                        ${tile('Redis round trip', now.redisRoundTripMillis.toFixed(2) + ' ms', 'on average since the start')}
                        ${tile('Memory of the hub', bytes(now.heapBytes), 'running for ' + span(now.uptimeSeconds))}
                    </dl>
                    <div class="chart ${this.points.length > 1 ? '' : 'early'}" role="img" aria-label="Requests and Redis calls a second, over the last two minutes"></div>` : nothing}
            </section>`;
    }
}

customElements.define('mr-rates', Rates);
