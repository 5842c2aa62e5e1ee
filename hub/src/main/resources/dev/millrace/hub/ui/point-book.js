// The points of one channel, kept true by the feed: its facts have the values. There may be ten thousand of them, and
// thousands of changes a second, so a fact changes what is there and the page is drawn with the next frame.
import { ask, instant } from './ems.js';

const TYPES = ['T', 'S'];

/** How many at once are drawn; the others are a click or a filter away. */
export const DRAWN = 100;

const missing = e => {
    if (e.status !== 404) throw e;
    return undefined;
};

export class PointBook {
    /**
     * @param changed called before a frame in which there is something new to be shown
     * @param sparks how many values of each point are remembered, to be drawn
     */
    constructor(changed, sparks = 0) {
        this.changed = changed;
        this.sparks = sparks;
        this.clear();
    }

    clear() {
        this.points = new Map();
        this.sorted = [];
        this.channel = undefined;
        this.loaded = false;
        this.failure = '';
    }

    /** Asks for everything; what was there stays to be seen meanwhile. */
    async load(channel) {
        if (channel !== this.channel) {
            this.clear();
            this.channel = channel;
        }
        const at = '/api/channels/' + channel;
        try {
            const [defined, ...stored] = await Promise.all([
                ask('GET', at).catch(missing), ...TYPES.map(type => ask('GET', at + '/' + type).catch(missing))]);
            if (channel !== this.channel) return;
            this.define(defined);
            stored.forEach((part, i) => part?.values.forEach(each => this.put(TYPES[i], each.point_id, each.value, each.quality, instant(each.timestamp))));
            this.loaded = true;
            this.failure = '';
        } catch (e) {
            if (channel !== this.channel) return;
            this.failure = e.message;
        }
        this.draw();
    }

    define(channel) {
        for (const type of TYPES) {
            for (const each of channel?.points?.[type] ?? []) {
                const states = each.states ?? { 0: each.state_0, 1: each.state_1 };
                Object.assign(this.at(type, each.point_id), { name: each.signal_name ?? '', unit: each.unit ?? '', states });
            }
        }
    }

    at(type, id) {
        const key = type + '.' + id;
        let point = this.points.get(key);
        if (!point) {
            point = { key, type, id, name: '', unit: '', quality: '', at: NaN };
            this.points.set(key, point);
            this.sorted = undefined;
        }
        return point;
    }

    put(type, id, value, quality, at) {
        const point = this.at(type, id);
        // An answer may be older than a fact that came before it.
        if (at < point.at) return;
        point.fresh = point.value !== value && point.value !== undefined ? performance.now() : point.fresh;
        if (this.sparks && typeof value === 'number' && at !== point.at) {
            point.past = [...(point.past ?? []).slice(1 - this.sparks), value];
        }
        point.value = value;
        point.quality = quality;
        point.at = at;
    }

    /** A fact of the feed, as text: those of other channels are not even read. */
    heard(text) {
        if (!text.includes('"channel_id":' + this.channel + ',')) return;
        const fact = JSON.parse(text);
        const at = instant(fact.timestamp);
        for (const id of Object.keys(fact.values)) {
            this.put(fact.type, Number(id), fact.values[id], fact.quality?.[id] ?? 'good', at);
        }
        this.draw();
    }

    /** By type and number. */
    all() {
        this.sorted ??= [...this.points.values()].sort((one, other) =>
            TYPES.indexOf(one.type) - TYPES.indexOf(other.type) || one.id - other.id);
        return this.sorted;
    }

    draw() {
        this.frame ??= requestAnimationFrame(() => {
            this.frame = undefined;
            this.changed();
        });
    }
}
