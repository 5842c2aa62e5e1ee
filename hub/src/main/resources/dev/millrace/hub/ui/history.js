import { html, nothing } from 'lit';
import { repeat } from 'lit-html/directives/repeat.js';
import { credentials, every, number, said, span } from './api.js';
import { Chart, axis, tooltip } from './chart.js';
import { ask, clock, now } from './ems.js';
import { curl } from './hint.js';
import { Shell } from './shell.js';
import { Span } from './history-span.js';

const INDEX_PERIOD = 30000;
const FOLLOW_PERIOD = 10000;

/** After the last turn of the wheel. */
const SETTLED = 250;
const LISTED = 200;
const MOST_SERIES = 12;
const AXES = 4;

/** Room for the numbers of each axis beyond the first on a side. */
const AXIS_WIDTH = 56;

/** About one window for each dot of the chart. */
const POINTS = 1000;

const COLORS = ['#2a78d6', '#c77700', '#1b8a5a', '#b3261e', '#7a4fd0', '#0b8aa0', '#a8447f', '#6b7d00', '#4a5a6a', '#d0592a', '#3f6fb5', '#8a6a00'];
const AGGREGATIONS = ['avg', 'min', 'max', 'twa', 'sum', 'count', 'first', 'last', 'median', 'std', 'delta'];

const value = number => (number === undefined || number === null ? '–' : Number(number.toPrecision(5)).toString());

/** What was: any series over any time, drawn as finely as the screen has room for. */
class History extends Shell {
    static properties = { found: { state: true }, failure: { state: true }, drawn: { state: true } };

    constructor() {
        super();
        this.search = '';
        this.failure = '';
        this.moved = () => this.choose();
    }

    connectedCallback() {
        super.connectedCallback();
        window.addEventListener('hashchange', this.moved);
        if (!this.asking) this.begin();
    }

    disconnectedCallback() {
        super.disconnectedCallback();
        window.removeEventListener('hashchange', this.moved);
        this.stop();
        this.chart?.end();
        this.chart = undefined;
    }

    begin() {
        this.stop();
        this.choose();
        this.looking = every(INDEX_PERIOD, () => this.look());
        this.following = every(FOLLOW_PERIOD, () => (this.span.follows ? this.load() : undefined));
    }

    stop() {
        this.looking?.();
        this.following?.();
        clearTimeout(this.settling);
    }

    willUpdate(changed) {
        if (changed.get('asking') === true && !this.asking) this.begin();
        if (changed.get('asking') === false && this.asking) this.stop();
    }

    // ---------------------------------------------------------------- what is chosen, as the address says it

    /** Everything stands in the address, so that a view can be kept and handed on. */
    choose() {
        const address = new URLSearchParams(location.hash.slice(1));
        this.chosen = (address.get('series') ?? '').split(',').filter(Boolean).slice(0, MOST_SERIES).map(text => {
            const at = text.lastIndexOf('@');
            const axis = at < 0 ? 1 : Number(text.slice(at + 1));
            return { name: at < 0 ? text : text.slice(0, at), axis: axis >= 1 && axis <= AXES ? axis : 1 };
        });
        this.aggregation = AGGREGATIONS.includes(address.get('of')) ? address.get('of') : 'avg';
        this.span = Span.of(address);
        this.load();
    }

    go({ chosen = this.chosen, aggregation = this.aggregation, span = this.span }) {
        const address = new URLSearchParams();
        if (chosen.length) address.set('series', chosen.map(each => each.name + (each.axis > 1 ? '@' + each.axis : '')).join(','));
        if (aggregation !== 'avg') address.set('of', aggregation);
        span.into(address);
        const hash = '#' + address;
        if (hash === location.hash) this.load();
        else location.hash = hash;
    }

    toggle(name) {
        const chosen = this.chosen.some(each => each.name === name)
            ? this.chosen.filter(each => each.name !== name)
            : [...this.chosen, { name, axis: 1 }];
        this.go({ chosen });
    }

    // ---------------------------------------------------------------- asking

    async look() {
        const search = this.search;
        try {
            const found = await ask('GET', '/api/history/index?days=31' + (search ? '&search=' + encodeURIComponent(search) : ''));
            if (search !== this.search) return;
            this.found = found;
            this.failure = '';
        } catch (e) {
            this.failure = e.message;
        }
    }

    async load() {
        if (this.asking) return;
        const { chosen, aggregation, span: asked } = this;
        if (!chosen.length) {
            this.drawn = undefined;
            return;
        }
        const { from, to } = asked.range(now());
        const turn = (this.turn = (this.turn ?? 0) + 1);
        try {
            const [answer, gaps] = await Promise.all([
                ask('POST', '/api/history/query', { series: chosen.map(each => each.name), start: from, end: to, aggregation, points: POINTS }),
                ask('GET', '/api/history/gaps'),
            ]);
            if (turn !== this.turn) return;
            const series = answer.series.map((each, i) => ({ ...chosen[i], color: COLORS[i], samples: each.samples }));
            this.drawn = {
                from, to, series,
                interval: answer.series[0].interval,
                gaps: gaps.items.filter(gap => gap.to > from && gap.from < to),
            };
            this.failure = '';
        } catch (e) {
            if (turn === this.turn) this.failure = e.message;
        }
    }

    async save() {
        const { from, to } = this.span.range(now());
        const query = new URLSearchParams({ series: this.chosen.map(each => each.name).join(','), start: from, end: to, format: 'csv', precision: 'iso' });
        try {
            const answer = await fetch('/api/history/export?' + query, { headers: credentials() });
            if (!answer.ok) throw new Error(said(await answer.json()));
            const link = document.createElement('a');
            link.href = URL.createObjectURL(await answer.blob());
            link.download = 'history.csv';
            link.click();
            setTimeout(() => URL.revokeObjectURL(link.href), 0);
        } catch (e) {
            this.failure = e.message;
        }
    }

    /** The part of the chart that somebody has turned the wheel to is asked for anew, more finely. */
    zoomed() {
        clearTimeout(this.settling);
        this.settling = setTimeout(() => {
            const [zoom] = this.chart.chart.getOption().dataZoom;
            if (zoom.end - zoom.start < 100) this.go({ span: Span.between(zoom.startValue, zoom.endValue) });
        }, SETTLED);
    }

    // ---------------------------------------------------------------- drawing

    updated() {
        const place = this.querySelector('.chart');
        if (this.chart && !place?.isConnected) {
            this.chart.end();
            this.chart = undefined;
        }
        if (place && !this.chart) {
            this.chart = new Chart(place, option, ['series', 'xAxis', 'yAxis']);
            this.chart.chart.on('datazoom', () => this.zoomed());
        }
        if (this.drawn && this.drawn !== this.chart?.data) this.chart?.show(this.drawn);
    }

    parts() {
        const names = this.found?.series ?? [];
        const none = this.found && !this.found.total && !this.search;
        return html`
            <div class="values wide">
                <section class="card list" aria-labelledby="history-title">
                    <div class="head"><h1 id="history-title">History</h1></div>
                    ${none ? nothing : html`<label class="search"><span class="dim">Search</span>
                        <input type="search" placeholder="comsrv:1:101" @input=${event => { this.search = event.target.value.trim(); this.look(); }}></label>`}
                    <ul class="series">${repeat(names.slice(0, LISTED), name => name, name => this.line(name))}</ul>
                    ${this.found && !names.length && this.search ? html`<p class="dim">No series of the last 31 days fits “${this.search}”.</p>` : nothing}
                    ${this.found?.total > LISTED ? html`<p class="dim">${number(LISTED)} of ${number(this.found.total)}; search for the others.</p>` : nothing}
                    ${none ? html`<p class="dim">Nothing was recorded in the last 31 days.</p>` : nothing}
                </section>
                ${this.chosen?.length ? this.card() : none ? html`<section class="card other first"><p>A series begins with the first value of a point:</p>
                    ${curl(['POST', '/api/channels/1/T', { 101: 85.5 }])}</section>`
                    : html`<section class="card other"><p class="dim">Choose series to see what they were.</p>
                        ${this.failure ? html`<p class="bad" role="alert">${this.failure}</p>` : nothing}</section>`}
            </div>`;
    }

    line(name) {
        const checked = this.chosen.some(each => each.name === name);
        return html`<li><label><input type="checkbox" .checked=${checked} ?disabled=${!checked && this.chosen.length >= MOST_SERIES}
            @change=${() => this.toggle(name)}> ${name}</label></li>`;
    }

    card() {
        const { drawn, span: asked } = this;
        document.title = this.chosen.map(each => each.name).join(', ') + ' – History – Millrace';
        const empty = drawn && drawn.series.every(each => !each.samples.length);
        return html`
            <section class="card past" aria-label="What the chosen series were">
                <div class="head">
                    <div class="choices">${Span.WORDS.map(word => html`<button class="choice" aria-pressed=${asked.word === word}
                        @click=${() => this.go({ span: Span.last(word) })}>${word}</button>`)}</div>
                    <div class="choices">
                        <button class="choice" @click=${() => this.go({ span: asked.earlier(now()) })}>← Earlier</button>
                        <button class="choice" @click=${() => this.go({ span: asked.later(now()) })} ?disabled=${asked.follows}>Later →</button>
                        <button class="choice" @click=${() => this.go({ span: asked.wider(now()) })}>Zoom out</button>
                    </div>
                </div>
                ${this.form()}
                ${this.failure ? html`<p class="bad" role="alert">${this.failure}</p>` : nothing}
                <div class="chart past ${drawn ? '' : 'early'}" role="img" aria-label="The chosen series over time; the table below has their figures"></div>
                <p class="dim" role="status" id="resolution">${!drawn ? 'Reading …' : empty ? 'There are no numbers in this time.'
                    : clock(drawn.from) + ' to ' + clock(drawn.to) + ', one value for each ' + span(drawn.interval) + '. Turn the wheel to look closer.'}</p>
                ${drawn?.gaps.map(gap => html`<p class="dim gap">${gap.from ? 'From ' + clock(gap.from) + ' to ' : 'Until '}${clock(gap.to)} ${number(gap.facts)} writes came
                    faster than they could be recorded.</p>`)}
                ${drawn ? this.figures(drawn) : nothing}
            </section>`;
    }

    form() {
        const { from, to } = this.span.range(now());
        return html`<form class="row range" aria-label="Time" @submit=${event => this.submit(event)}>
            <label>From <input name="from" type="datetime-local" step="1" required .value=${Span.local(from)}></label>
            <label>to <input name="to" type="datetime-local" step="1" required .value=${Span.local(to)}></label>
            <button>Show</button>
            <label>of each window <select id="aggregation" @change=${event => this.go({ aggregation: event.target.value })}>
                ${AGGREGATIONS.map(each => html`<option ?selected=${each === this.aggregation}>${each}</option>`)}</select></label>
            <button type="button" id="csv" @click=${this.save}>CSV</button></form>`;
    }

    submit(event) {
        event.preventDefault();
        const form = new FormData(event.target);
        this.go({ span: Span.between(Date.parse(form.get('from')), Date.parse(form.get('to'))) });
    }

    figures(drawn) {
        return html`<table class="figures">
            <thead><tr><th class="name">Series</th><th class="n">Least</th><th class="n">Most</th><th class="n">Last</th><th>Axis</th><th></th></tr></thead>
            <tbody>${repeat(drawn.series, each => each.name, each => {
                const numbers = each.samples.map(sample => sample.value).filter(number => typeof number === 'number');
                return html`<tr><td class="name"><span class="swatch" style=${'background:' + each.color} aria-hidden="true"></span> ${each.name}</td>
                    <td class="n">${value(least(numbers))}</td><td class="n">${value(most(numbers))}</td><td class="n">${value(numbers.at(-1))}</td>
                    <td><select aria-label=${'Axis of ' + each.name} @change=${event => this.put(each.name, Number(event.target.value))}>
                        ${Array.from({ length: AXES }, (none, i) => html`<option ?selected=${each.axis === i + 1}>${i + 1}</option>`)}</select></td>
                    <td><button class="quiet" aria-label=${'Remove ' + each.name} @click=${() => this.toggle(each.name)}>×</button></td></tr>`;
            })}</tbody></table>`;
    }

    put(name, axis) {
        this.go({ chosen: this.chosen.map(each => (each.name === name ? { name, axis } : each)) });
    }
}

const least = numbers => (numbers.length ? numbers.reduce((a, b) => Math.min(a, b)) : undefined);
const most = numbers => (numbers.length ? numbers.reduce((a, b) => Math.max(a, b)) : undefined);

/** Axes that some series has, the odd ones on the left. */
function option(drawn, color) {
    const axes = [...new Set(drawn.series.map(each => each.axis))].sort();
    const side = number => (number % 2 ? 'left' : 'right');
    const gaps = { silent: true, itemStyle: { color: color('--bad-back') }, data: drawn.gaps.map(gap => [{ xAxis: gap.from || drawn.from }, { xAxis: gap.to }]) };
    return {
        grid: { left: axes.includes(3) ? AXIS_WIDTH : 8, right: axes.includes(4) ? AXIS_WIDTH + 12 : 24, top: 24, bottom: 4, containLabel: true },
        tooltip: { trigger: 'axis', confine: true, valueFormatter: value, ...tooltip(color) },
        xAxis: { type: 'time', min: drawn.from, max: drawn.to, ...axis(color), splitLine: { show: false }, axisLabel: { color: color('--dim'), hideOverlap: true, margin: 12 } },
        yAxis: axes.map((each, i) => {
            const alone = drawn.series.filter(one => one.axis === each);
            return {
                type: 'value', scale: true, position: side(each), offset: each > 2 && axes.includes(each - 2) ? AXIS_WIDTH : 0, splitNumber: 4,
                ...axis(color), splitLine: { show: i === 0, lineStyle: { color: color('--line') } },
                axisLine: { show: axes.length > 1, lineStyle: { color: alone.length === 1 ? alone[0].color : color('--line') } },
            };
        }),
        dataZoom: [{ type: 'inside', filterMode: 'none', start: 0, end: 100 }],
        series: drawn.series.map((each, i) => ({
            name: each.name, type: 'line', color: each.color, yAxisIndex: axes.indexOf(each.axis),
            showSymbol: each.samples.length < 60, symbolSize: 4, lineStyle: { width: 1.5 },
            data: each.samples.filter(sample => typeof sample.value === 'number').map(sample => [sample.timestamp, sample.value]),
            ...(i === 0 && drawn.gaps.length ? { markArea: gaps } : {}),
        })),
    };
}

customElements.define('mr-history', History);
