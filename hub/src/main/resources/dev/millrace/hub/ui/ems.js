// Calls to the rooms whose answers come in an envelope (channels, alarms). It also says what time it is at the hub:
// ages are told by that clock, whatever the clock of this machine says.
import { call, span } from './api.js';

/** Below this a difference is the way of the answer, not of the clocks. */
const NOTICED = 2000;

/** Times in seconds are below this until the year 5138, those in milliseconds above it since 1973. */
const SECONDS_END = 1e11;

let ahead = 0;

/** In milliseconds, at the hub. */
export const now = () => Date.now() + ahead;

export async function ask(method, path, body) {
    const answer = await call(method, path, body);
    const there = Date.parse(answer.timestamp);
    if (there) {
        ahead = Math.abs(there - Date.now()) < NOTICED ? 0 : there - Date.now();
    }
    return answer.data;
}

/** All items of a list, page by page, up to a number; and how many there are. */
export async function list(path, most) {
    const size = Math.min(100, most);
    const items = [];
    for (let page = 1; ; page++) {
        const part = await ask('GET', path + (path.includes('?') ? '&' : '?') + 'size=' + size + '&page=' + page);
        items.push(...part.items);
        if (!part.has_next || items.length >= most) {
            return { items, total: part.total };
        }
    }
}

/** A time as ISO text, in seconds or in milliseconds, as milliseconds; NaN if there is none. */
export function instant(time) {
    if (time === null || time === undefined || time === '') return NaN;
    const number = Number(time);
    if (Number.isNaN(number)) return Date.parse(time);
    return number < SECONDS_END ? number * 1000 : number;
}

/** How long ago, in one short word. */
export function age(millis) {
    const seconds = Math.max(0, (now() - millis) / 1000);
    return Number.isNaN(seconds) ? '' : seconds < 1 ? 'now' : span(Math.floor(seconds));
}

/** The time of today; the day too where it was another one. */
export function clock(millis) {
    if (Number.isNaN(millis)) return '';
    const at = new Date(millis);
    const time = at.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', second: '2-digit' });
    return at.toDateString() === new Date().toDateString() ? time : at.toLocaleDateString() + ' ' + time;
}
