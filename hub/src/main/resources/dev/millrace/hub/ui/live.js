// Listens to feeds of the hub. A browser's EventSource sends no token, so the stream is read with fetch.
import { askForToken, credentials, said } from './api.js';

const SOONEST = 1000;
const LATEST = 10000;

/** A refusal is asked about again too: rights change. */
const REFUSED = 30000;

/** A network that vanishes ends no connection: silence is looked into. */
const PING = 10000;
const PATIENCE = 5000;

export class Live {
    /**
     * @param feeds their names
     * @param heard called with the name of a feed and a fact
     * @param moved called when the state has changed; with true when everything has to be asked for anew
     */
    constructor(feeds, heard, moved) {
        this.feeds = feeds;
        this.heard = heard;
        this.moved = moved;
        /** Whether what happens is heard; if not, since when and why. */
        this.on = false;
        this.since = undefined;
        this.why = '';
        this.place = '';
        this.delay = SOONEST;
        this.again = () => this.now();
    }

    begin() {
        this.ended = false;
        window.addEventListener('online', this.again);
        this.pinging = setInterval(() => this.ping(), PING);
        this.listen();
    }

    /** May begin again, and goes on where it was. */
    end() {
        this.ended = true;
        this.on = false;
        this.since = undefined;
        window.removeEventListener('online', this.again);
        clearInterval(this.pinging);
        clearTimeout(this.timer);
        this.abort?.abort();
    }

    /** Tries at once, if it waits. */
    now() {
        if (this.timer) {
            clearTimeout(this.timer);
            this.timer = undefined;
            this.listen();
        }
    }

    async listen() {
        this.timer = undefined;
        this.abort = new AbortController();
        let wait;
        try {
            wait = await this.follow(this.abort.signal);
        } catch {
            this.off('The hub does not answer.');
        }
        if (!this.ended && wait !== 'never') {
            this.timer = setTimeout(this.again, wait ?? this.delay * (0.75 + Math.random() / 2));
            this.delay = Math.min(LATEST, this.delay * 2);
        }
    }

    /** Reads one connection to its end; gives back how long to wait, if it is known better than by the usual steps. */
    async follow(signal) {
        const headers = { ...credentials(), Accept: 'text/event-stream' };
        if (this.place) {
            headers['Last-Event-ID'] = this.place;
        }
        const response = await fetch('/live?feeds=' + this.feeds.join(','), { headers, signal, cache: 'no-store' });
        if (!response.ok) {
            const why = said(await response.json().catch(() => ({})));
            this.off(why || 'The hub answered with status ' + response.status + '.');
            if (response.status === 401) {
                askForToken(why);
                return 'never';
            }
            return response.status < 500 ? REFUSED : undefined;
        }
        const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
        let rest = '';
        for (;;) {
            const { value, done } = await reader.read();
            if (done) {
                this.off('The connection has ended.');
                return undefined;
            }
            rest += value;
            let from = 0;
            for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n', from)) {
                this.take(rest.slice(from, end));
                from = end + 2;
            }
            rest = rest.slice(from);
        }
    }

    /** One event, as its lines. */
    take(text) {
        let name = 'message';
        let data = '';
        for (const line of text.split('\n')) {
            if (line.startsWith('event: ')) name = line.slice(7);
            else if (line.startsWith('data: ')) data = line.slice(6);
            else if (line.startsWith('id: ')) this.place = line.slice(4);
        }
        if (this.feeds.includes(name)) {
            this.heard(name, data);
        } else if (name === 'ready') {
            this.on = true;
            this.since = undefined;
            this.why = '';
            this.delay = SOONEST;
            this.moved(true);
        } else if (name === 'reload') {
            this.moved(true);
        } else if (name === 'bye') {
            this.off(JSON.parse(data).why);
        }
    }

    off(why) {
        if (!this.ended) {
            this.on = false;
            this.since ??= Date.now();
            this.why ||= why;
            this.moved(false);
        }
    }

    async ping() {
        if (!this.on || document.hidden) return;
        try {
            await fetch('/health/live', { signal: AbortSignal.timeout(PATIENCE), cache: 'no-store' });
        } catch {
            this.off('The hub does not answer.');
            this.abort.abort();
        }
    }
}
