import { html, nothing, svg } from 'lit';
import { every, token } from './api.js';
import { ask, clock, instant } from './ems.js';
import { Shell } from './shell.js';

/** A command may still be on its way, and a message too. */
const PERIOD = 2000;

/** Where the dot of a row is, in pixels: from its left edge by depth, and from its top. */
const LANE = 26;
const MARGIN = 12;
const TOP = 22;

const KINDS = {
    value: 'Value', call: 'Call', moment: 'Time', alarm: 'Alarm', notification: 'Notification',
    transmission: 'Transmission', execution: 'Rule', command: 'Command', read_back: 'Read back',
};

const EVENTS = { triggered: 'raised', cleared_by_disable: 'ended, as its rule was disabled', cleared: 'ended' };

const name = part => part.kind + ' ' + part.id;

const lane = depth => MARGIN + depth * LANE;

/** Why something was done: the chain from what began it all to everything that came of it. */
class Why extends Shell {
    static properties = { chain: { state: true }, failure: { state: true } };

    constructor() {
        super();
        this.failure = '';
        this.asked = decodeURIComponent(location.pathname.replace(/^\/ui\/why\//, ''));
    }

    connectedCallback() {
        super.connectedCallback();
        this.end = every(PERIOD, () => (this.asking ? undefined : this.look()));
    }

    disconnectedCallback() {
        super.disconnectedCallback();
        this.end();
    }

    willUpdate(changed) {
        if (changed.get('asking') === true && !this.asking) this.look();
    }

    async look() {
        try {
            const kind = new URLSearchParams(location.search).get('kind');
            this.chain = await ask('GET', '/api/why/' + encodeURIComponent(this.asked) + (kind ? '?kind=' + encodeURIComponent(kind) : ''));
            this.failure = '';
        } catch (e) {
            if (e.status === 401 && !token()) return;
            this.failure = e.message;
        }
    }

    parts() {
        const rows = this.chain ? this.rows(this.chain.parts) : [];
        return html`
            <section class="card" aria-labelledby="why-title">
                <div class="head"><h1 id="why-title">Why?</h1></div>
                <form class="row" @submit=${this.go}>
                    <label for="why-id">Of an alarm, execution, command, notification or transmission</label>
                    <input id="why-id" name="id" required autocomplete="off" spellcheck="false" .value=${this.asked}>
                    <button class="quiet">Show</button>
                </form>
                ${this.failure ? html`<p class="bad" role="alert">${this.failure}</p>` : nothing}
                ${this.chain?.truncated ? html`<p class="bad">There is more than can be shown.</p>` : nothing}
                <ol class="chain" aria-label="From what began it all to what came of it">${rows.map(row => this.row(row))}</ol>
            </section>`;
    }

    go(event) {
        event.preventDefault();
        location.assign('/ui/why/' + encodeURIComponent(new FormData(event.target).get('id').trim()));
    }

    /** Each part below the one that led to it, with what its lines need to know. */
    rows(parts) {
        const after = new Map();
        for (const each of parts) {
            const key = each.from ? name(each.from) : '';
            after.set(key, [...(after.get(key) ?? []), each]);
        }
        const rows = [];
        const walk = (part, depth, through) => {
            const next = after.get(name(part)) ?? [];
            rows.push({ part, depth, through, leads: next.length > 0 });
            next.forEach((each, i) => walk(each, depth + 1, [...through, i < next.length - 1]));
        };
        (after.get('') ?? []).forEach(each => walk(each, 0, []));
        return rows;
    }

    row({ part, depth, through, leads }) {
        const here = name(part) === name(this.chain.asked);
        return html`<li class=${'is-' + part.kind + (part.kept ? '' : ' gone')} aria-current=${here ? 'true' : nothing} style=${'--gutter:' + (lane(depth) + MARGIN + 4) + 'px'}>
            ${this.lines(depth, through, leads)}
            <div class="what">
                <p><span class="kind">${KINDS[part.kind]}</span> <span class="title">${part.title}</span>
                    <time class="dim" datetime=${part.at}>${clock(instant(part.at))}</time></p>
                <p class="dim">${part.who ? html`${part.kind === 'transmission' ? 'to' : 'by'} <span class="who">${part.who}</span> · ` : nothing}${this.link(part)}</p>
                ${this.more(part)}
            </div></li>`;
    }

    lines(depth, through, leads) {
        const line = (x1, y1, x2, y2) => svg`<line x1=${x1} y1=${y1} x2=${x2} y2=${y2}></line>`;
        const x = lane(depth);
        return html`<svg aria-hidden="true" width=${x + MARGIN}>
            ${through.slice(0, -1).map((goesOn, level) => (goesOn ? line(lane(level), 0, lane(level), '100%') : nothing))}
            ${depth ? [line(lane(depth - 1), 0, lane(depth - 1), through.at(-1) ? '100%' : TOP), line(lane(depth - 1), TOP, x, TOP)] : nothing}
            ${leads ? line(x, TOP, x, '100%') : nothing}
            ${svg`<circle cx=${x} cy=${TOP} r="6"></circle>`}
        </svg>`;
    }

    /** Where more is to be seen of it. */
    link(part) {
        const id = html`<code>${part.id}</code>`;
        const channel = /^comsrv:(\d+):/.exec(part.details.source ?? '')?.[1];
        switch (part.kind) {
            case 'value': return channel ? html`<a href=${'/ui/values#' + channel}>${part.details.source} ${part.details.field}</a>` : id;
            case 'alarm': return html`<a href="/ui/alarms">${id}</a>`;
            case 'command': return html`<a href=${'/ui/channels#' + part.details.channel_id}>${id}</a>`;
            default: return id;
        }
    }

    more(part) {
        const list = lines => (lines.length ? html`<ul class="dim">${lines.map(each => html`<li>${each}</li>`)}</ul>` : nothing);
        switch (part.kind) {
            case 'alarm': return list(part.details.events.slice(1).map(each => [EVENTS[each.type] ?? each.type.replaceAll('_', ' '),
                each.user && 'by ' + each.user, clock(instant(each.at)), each.note && '“' + each.note + '”'].filter(Boolean).join(', ')));
            case 'execution': return list((part.details.actions_executed ?? []).map(each => [each.type, each.target, each.value, each.status,
                each.error].filter(text => text !== undefined && text !== '').join(' ')));
            case 'command': return list([[part.details.status, part.details.error, part.details.result, part.details.reason && '“' + part.details.reason + '”'].filter(Boolean).join(' · ')]);
            case 'transmission': return list((part.details.attempts ?? []).map(each => each.status.toLowerCase() + ' ' + clock(instant(each.at)) + ': ' + each.response));
            default: return nothing;
        }
    }
}

customElements.define('mr-why', Why);
