// The alarms that somebody has to know of, kept true by asking again whatever the feed names: what an alarm is, is decided
// in one place, and that is not a browser.
import { ask, instant, list } from './ems.js';

export const LEVELS = ['Critical', 'Major', 'Minor', 'Warning', 'Info'];

/** What people made of an alarm, in words; those that are not looked for are not here. */
export const GROUPS = { unacknowledged: 'Unacknowledged', acknowledged: 'Acknowledged', shelved: 'Shelved' };

const STATES = { UNACK: 'unacknowledged', RTNUN: 'unacknowledged', ACKED: 'acknowledged', SHELVED: 'shelved', SUPPR: 'silent', OOSRV: 'silent' };

/** More of them than this nobody reads. */
const MOST = 500;

/** From so many changed alarms on the whole list is asked for; fewer come in one answer. */
const FEW = 50;

/** One that has ended stays for a while where it was, so that nothing jumps under a finger. */
const LINGER = 8000;

/** Between one turn and the next. */
const PAUSE = 200;
const AFTER_FAILURE = 3000;

/** The whole list is more work. */
const CALM = 1000;

const sleep = millis => new Promise(done => setTimeout(done, millis));

/** Under which of the groups it is found; empty when nothing is outstanding. */
const groupOf = alarm => STATES[alarm.state ?? (alarm.status !== 'active' ? 'NORM' : Number(alarm.acknowledged) ? 'ACKED' : 'UNACK')] ?? '';

function read(alarm) {
    const level = LEVELS.find(each => each.toLowerCase() === String(alarm.alarm_level ?? '').toLowerCase()) ?? 'Warning';
    return { ...alarm, id: alarm.rule_id ?? alarm.id, level, group: groupOf(alarm), raised: instant(alarm.triggered_at) || 0 };
}

export class AlarmBook {
    /** @param changed called when there is something new to be shown */
    constructor(changed) {
        this.changed = changed;
        this.alarms = new Map();
        this.touched = new Set();
        /** When the whole list may be asked for again. */
        this.calm = 0;
        this.total = 0;
        this.loaded = false;
        this.failure = '';
    }

    /** The newest first, of one second the worst: they stay where they are, whatever is done to them. */
    all() {
        return [...this.alarms.values()].sort((one, other) =>
            other.raised - one.raised || LEVELS.indexOf(one.level) - LEVELS.indexOf(other.level) || (one.id < other.id ? -1 : 1));
    }

    /** What the values of those that are seen are by now; the feed does not tell of each. */
    look() {
        if (this.loaded && !this.working && !this.failure) {
            this.all().filter(alarm => alarm.status === 'active' && !alarm.over).slice(0, FEW).forEach(alarm => this.touched.add(alarm.id));
            this.work();
        }
    }

    reload() {
        this.everything = true;
        this.work();
    }

    /** Somebody did something here: the answer has the alarm as it is now; after a failure it is asked for. */
    acted({ id, alarm }) {
        if (alarm) {
            this.put(id, read(alarm));
            this.changed();
        } else {
            this.touch(id);
        }
    }

    /** Something happened to it. */
    touch(id) {
        this.touched.add(id);
        this.work();
    }

    end() {
        this.ended = true;
    }

    /** One turn after the other, so that no older answer overwrites a newer one. */
    async work() {
        if (this.working) return;
        this.working = true;
        while (!this.ended && (this.everything || this.touched.size)) {
            const ids = [...this.touched];
            this.everything ||= ids.length > FEW;
            this.touched.clear();
            const everything = this.everything && performance.now() >= this.calm;
            if (everything) {
                this.everything = false;
                this.calm = performance.now() + CALM;
            }
            try {
                await (everything ? this.loadAll() : this.loadSome(ids.slice(0, FEW)));
                this.failure = '';
            } catch (e) {
                this.failure = e.message;
                this.everything = true;
            }
            this.changed();
            await sleep(this.failure ? AFTER_FAILURE : PAUSE);
        }
        this.working = false;
    }

    async loadAll() {
        const [active, returned, shelved] = await Promise.all(
            ['status=active', 'state=RTNUN', 'state=SHELVED'].map(query => list('/api/alarms?' + query, MOST)));
        const found = new Map();
        for (const alarm of [...shelved.items, ...returned.items, ...active.items].map(read)) {
            found.set(alarm.id, alarm);
        }
        // What was acknowledged a moment ago and is over stays for its while.
        this.alarms.forEach((alarm, id) => alarm.over && !found.has(id) && found.set(id, alarm));
        this.alarms = found;
        this.total = active.total + returned.total;
        this.loaded = true;
    }

    /** One that is missing in the answer is gone, with its rule. */
    async loadSome(ids) {
        if (!ids.length) return;
        const { items } = await ask('GET', '/api/alarms?size=100&ids=' + ids.map(encodeURIComponent).join(','));
        const found = new Map(items.map(read).map(alarm => [alarm.id, alarm]));
        ids.forEach(id => this.put(id, found.get(id)));
    }

    put(id, alarm) {
        const known = this.alarms.get(id);
        if (alarm?.group) {
            this.alarms.set(id, alarm);
        } else if (known && !known.over) {
            this.alarms.set(id, { ...known, ...alarm, group: known.group, over: true });
            setTimeout(() => this.forget(id), LINGER);
        }
    }

    forget(id) {
        if (this.alarms.get(id)?.over) {
            this.alarms.delete(id);
            this.changed();
        }
    }
}
