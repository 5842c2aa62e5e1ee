const LENGTHS = { '1 h': 3600e3, '6 h': 6 * 3600e3, '24 h': 86400e3, '7 days': 7 * 86400e3, '30 days': 30 * 86400e3, '1 year': 365 * 86400e3 };
const STANDARD = '24 h';
const LONGEST = 366 * 86400e3;
const SHORTEST = 1000;

/** A span of time: the last so long until now, or from one moment to another. */
export class Span {
    static WORDS = Object.keys(LENGTHS);

    constructor(word, from, to) {
        this.word = word;
        this.from = from;
        this.to = to;
    }

    static last(word) {
        return new Span(word in LENGTHS ? word : STANDARD);
    }

    static between(from, to) {
        const begin = Math.round(Math.min(from, to));
        const end = Math.round(Math.max(from, to));
        return new Span('', Math.max(begin, end - LONGEST), Math.max(end, begin + SHORTEST));
    }

    /** As an address says it. */
    static of(address) {
        const from = Number(address.get('from'));
        const to = Number(address.get('to'));
        return from > 0 && to > from ? Span.between(from, to) : Span.last(address.get('last') ?? STANDARD);
    }

    into(address) {
        if (this.follows) {
            address.set('last', this.word);
        } else {
            address.set('from', this.from);
            address.set('to', this.to);
        }
    }

    /** Whether it goes on with the time. */
    get follows() {
        return this.word !== '';
    }

    range(now) {
        return this.follows ? { from: Math.round(now - LENGTHS[this.word]), to: Math.round(now) } : { from: this.from, to: this.to };
    }

    earlier(now) {
        const { from, to } = this.range(now);
        const half = (to - from) / 2;
        return Span.between(from - half, to - half);
    }

    /** Never beyond now. */
    later(now) {
        const { from, to } = this.range(now);
        const half = Math.min((to - from) / 2, Math.max(0, now - to));
        return Span.between(from + half, to + half);
    }

    wider(now) {
        const { from, to } = this.range(now);
        const length = Math.min(LONGEST, 2 * (to - from));
        const end = Math.min(now, to + (length - (to - from)) / 2);
        return Span.between(end - length, end);
    }

    /** A time as an input for dates has it, in the zone of this browser. */
    static local(millis) {
        const at = new Date(millis);
        return new Date(millis - at.getTimezoneOffset() * 60e3).toISOString().slice(0, 19);
    }
}
