import { LitElement, html, nothing } from 'lit';
import { number, span } from './api.js';
import { Chart, axis, tooltip } from './chart.js';
import { ask, clock, instant, now } from './ems.js';

const DAY = 86400000;
const POLL = 500;

/** The chart has about so many points, however long the time is. */
const POINTS = 800;
const STEPS = [['10s', 10e3], ['1m', 60e3], ['5m', 300e3], ['1h', 3600e3], ['1d', DAY]];

/** So many firings stand in the table; the chart has all that are told. */
const ROWS = 200;

const local = millis => {
    const at = new Date(millis - new Date(millis).getTimezoneOffset() * 60000);
    return at.toISOString().slice(0, 19);
};

const sleep = millis => new Promise(done => setTimeout(done, millis));

/** Where history has the values of a source: comsrv:1:T:101. */
function series(source) {
    const [kind, id, type, ...field] = source.split(':');
    const plain = type === 'T' || type === 'measurement';
    return '/api/history/' + kind + '/' + id + '/' + encodeURIComponent((plain ? '' : type + '.') + field.join(':'));
}

/** What a rule would have done: marks on the history of what it looks at. */
class RuleRehearsal extends LitElement {
    static properties = { rule: {}, text: {}, result: { state: true }, job: { state: true }, failure: { state: true }, running: { state: true } };

    constructor() {
        super();
        this.failure = '';
        this.values = [];
    }

    createRenderRoot() {
        return this;
    }

    disconnectedCallback() {
        super.disconnectedCallback();
        this.cancel();
        this.chart?.end();
        this.chart = undefined;
    }

    willUpdate(changed) {
        if (changed.has('rule') && this.rule?.id !== changed.get('rule')?.id) this.result = undefined;
    }

    updated() {
        const place = this.querySelector('.chart');
        if (place && this.chart?.place !== place) {
            this.chart?.end();
            this.chart = new Chart(place, (shown, color) => option(shown, color));
            this.chart.place = place;
        }
        if (place) this.chart.show({ values: this.values, result: this.result, source: this.source });
    }

    get path() {
        return '/api/rules/' + encodeURIComponent(this.rule?.id ?? 'new') + '/';
    }

    async rehearse(event) {
        event.preventDefault();
        const form = new FormData(event.target);
        const start = new Date(form.get('start')).getTime();
        const end = new Date(form.get('end')).getTime();
        const body = { start: new Date(start).toISOString(), end: new Date(end).toISOString() };
        this.failure = '';
        this.result = undefined;
        this.running = true;
        try {
            if (this.text || !this.rule) body.rule = JSON.parse(this.text);
            const answer = await ask('POST', this.path + 'rehearse', body);
            const result = answer.rehearsal_id ? await this.wait(answer) : answer;
            if (result) {
                await this.history(result, start, end);
                this.result = result;
            }
        } catch (e) {
            this.failure = e instanceof SyntaxError ? 'The rule is not JSON yet; see Edit.' : e.message;
        }
        this.job = undefined;
        this.running = false;
    }

    /** A long one goes on by itself. */
    async wait(begun) {
        this.job = begun;
        while (this.job?.state === 'running') {
            await sleep(POLL);
            if (!this.job) return undefined;
            this.job = await ask('GET', this.path + 'rehearsals/' + begun.rehearsal_id);
        }
        if (this.job?.state === 'failed') throw new Error(this.job.error);
        const result = this.job?.result;
        if (result) ask('DELETE', this.path + 'rehearsals/' + begun.rehearsal_id).catch(() => {});
        return result;
    }

    cancel() {
        if (this.job?.state === 'running') ask('DELETE', this.path + 'rehearsals/' + this.job.rehearsal_id).catch(() => {});
        this.job = undefined;
    }

    async history(result, start, end) {
        const sources = Object.keys(result.firings[0]?.values ?? {});
        this.source = sources[0] ?? (this.rule ? (await ask('GET', this.path + 'variables'))[0] : undefined);
        this.values = [];
        if (!this.source) return;
        const step = STEPS.find(([, millis]) => millis >= (end - start) / POINTS) ?? STEPS.at(-1);
        const raw = (end - start) / POINTS < STEPS[0][1] / 4;
        const asked = '?start=' + start + '&end=' + end + '&limit=10000' + (raw ? '' : '&aggregation=avg&interval=' + step[0]);
        const found = await ask('GET', series(this.source) + asked);
        this.values = found.samples.map(each => [each.timestamp, Number(each.value)]).filter(([, value]) => !Number.isNaN(value));
    }

    render() {
        const end = now();
        return html`
            <form class="row rehearse" @submit=${this.rehearse}>
                <label>From<input name="start" type="datetime-local" step="1" required .defaultValue=${local(end - DAY)}></label>
                <label>To<input name="end" type="datetime-local" step="1" required .defaultValue=${local(end + 60000)}></label>
                <button class="main" id="rehearse" ?disabled=${this.running}>Rehearse</button>
                ${this.text ? html`<span class="dim">as it is being edited</span>` : nothing}
            </form>
            ${this.job ? html`<p role="status"><progress id="progress" max="1" .value=${this.job.progress}></progress>
                up to ${clock(instant(this.job.reached))} <button id="cancel" @click=${this.cancel}>Cancel</button></p>` : nothing}
            ${this.failure ? html`<p class="bad" role="alert">${this.failure}</p>` : nothing}
            ${this.result ? this.shown() : html`<p class="dim">What would the rule have done? Nothing is done and nothing stored by asking.</p>`}`;
    }

    shown() {
        const { result } = this;
        const { difference, flapping } = result;
        return html`
            <p id="rehearsal-summary"><b>${number(result.total_firings)} ${result.total_firings === 1 ? 'time' : 'times'}</b> it would have acted,
                in ${number(result.samples)} values and ${number(result.looks)} looks.
                ${result.skipped_cooldown ? 'It rested ' + number(result.skipped_cooldown) + ' times. ' : ''}
                ${flapping.flaps ? html`<span class="bad">It flaps: up to ${number(flapping.most_in_a_minute)} times in a minute.</span>` : nothing}
                ${difference.live || difference.same ? html`The live rule acted ${number(difference.live)} times since ${clock(instant(difference.compared_from))}:
                    ${number(difference.same)} the same, ${number(difference.only_live.length)} only live, ${number(difference.only_rehearsed.length)} only here.` : nothing}</p>
            ${result.notes.map(note => html`<p class="dim note">${note}</p>`)}
            <div class="chart tall" role="img" aria-label=${'History of ' + (this.source ?? '') + ' with ' + result.total_firings + ' marks'}></div>
            ${result.commands.length ? html`<p class="dim">It would have ordered: ${result.commands.map(each => each.target + ' (' + number(each.times) + ' times)').join(', ')}</p>` : nothing}
            ${result.firings.length ? html`<div class="scroll tall"><table class="firings"><thead><tr><th>When</th><th>Why</th><th>Values</th><th>It would have</th><th class="n">Held for</th></tr></thead>
                <tbody>${result.firings.slice(0, ROWS).map(each => html`<tr>
                    <td class="when">${clock(instant(each.at))}</td><td>${each.trigger}</td>
                    <td>${Object.entries(each.values).map(([source, value]) => source + ' = ' + value).join(', ')}</td>
                    <td>${each.error ?? each.actions.map(action => (action.type + ' ' + action.target + (action.value ? ' = ' + action.value : ''))).join(', ')}</td>
                    <td class="n">${each.duration_ms === null ? 'to the end' : each.duration_ms < 1000 ? each.duration_ms + ' ms' : span(each.duration_ms / 1000)}</td></tr>`)}</tbody></table></div>` : nothing}
            ${result.total_firings > ROWS ? html`<p class="dim">These are the first ${number(Math.min(ROWS, result.firings.length))} of ${number(result.total_firings)}.</p>` : nothing}`;
    }
}

function option({ values, result, source }, color) {
    const firings = result?.firings ?? [];
    const heights = values.map(([, value]) => value);
    const floor = heights.length ? Math.min(...heights) : 0;
    const mark = at => ({ at: instant(at) });
    const height = firing => {
        const value = Number(firing.values?.[source]);
        return Number.isNaN(value) ? floor : value;
    };
    const onlyLive = (result?.difference.only_live ?? []).map(each => [mark(each.at).at, floor]);
    return {
        grid: { left: 8, right: 34, top: 30, bottom: 40, containLabel: true },
        legend: { top: 0, left: 0, textStyle: { color: color('--dim') } },
        tooltip: { trigger: 'item', ...tooltip(color) },
        dataZoom: [{ type: 'inside' }],
        xAxis: { type: 'time', min: instant(result?.start), max: instant(result?.end), ...axis(color), splitLine: { show: false }, axisLabel: { color: color('--dim'), hideOverlap: true } },
        yAxis: { type: 'value', scale: true, ...axis(color) },
        series: [
            {
                name: source ?? 'no history', type: 'line', step: 'end', showSymbol: false, color: color('--one'), data: values,
                markArea: { silent: true, itemStyle: { color: color('--fresh') }, data: firings.filter(each => each.held_until).slice(0, ROWS).map(each => [{ xAxis: instant(each.at) }, { xAxis: instant(each.held_until) }]) },
            },
            { name: 'would have acted', type: 'scatter', symbol: 'triangle', symbolSize: 11, color: color('--bad'), data: firings.map(each => [instant(each.at), height(each)]) },
            { name: 'only live', type: 'scatter', symbol: 'diamond', symbolSize: 11, color: color('--two'), data: onlyLive },
        ],
    };
}

customElements.define('mr-rule-rehearsal', RuleRehearsal);
