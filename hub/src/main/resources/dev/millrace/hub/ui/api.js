// Calls to the hub, with the token of this tab if there is one.
const KEY = 'millrace.token';

export const asksForToken = document.documentElement.dataset.access === 'token';

export const token = () => sessionStorage.getItem(KEY) ?? '';

export function keepToken(text) {
    if (text) {
        sessionStorage.setItem(KEY, text);
    } else {
        sessionStorage.removeItem(KEY);
    }
}

/** What went wrong, in the words of the hub. */
export class Refusal extends Error {
    constructor(status, sentence) {
        super(sentence);
        this.status = status;
    }
}

/** Headers that say who asks. */
export const credentials = () => (token() ? { Authorization: 'Bearer ' + token() } : {});

/** The page puts its question, with what was said about the token that it has. */
export const askForToken = why => window.dispatchEvent(new CustomEvent('mr-token', { detail: why }));

/** The sentence of a failure; each family of rooms has its own place for it. */
export const said = json => json.detail ?? json.error?.message ?? '';

/** The answer as JSON; health tells its reasons with 503, so that one is an answer too. */
export async function call(method, path, body) {
    const headers = credentials();
    if (body !== undefined) {
        headers['Content-Type'] = 'application/json';
    }
    let response;
    try {
        response = await fetch(path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
    } catch {
        throw new Refusal(0, 'The hub does not answer. Is it running?');
    }
    const text = await response.text();
    let json;
    try {
        json = JSON.parse(text);
    } catch {
        json = { detail: text };
    }
    if (response.status === 401) {
        askForToken(said(json));
    }
    if (!response.ok && !(response.status === 503 && json.reasons)) {
        throw new Refusal(response.status, said(json) || 'The hub answered with status ' + response.status + '.');
    }
    return json;
}

/** Calls it now and again, as long as the page is looked at; gives back what ends it. */
export function every(millis, action) {
    let ended = false;
    let timer;
    const turn = async () => {
        if (!document.hidden) {
            await action();
        }
        if (!ended) {
            timer = setTimeout(turn, millis);
        }
    };
    turn();
    return () => {
        ended = true;
        clearTimeout(timer);
    };
}

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

export function bytes(count) {
    let value = Math.abs(count);
    let unit = 0;
    while (value >= 1024 && unit < UNITS.length - 1) {
        value /= 1024;
        unit++;
    }
    const digits = unit === 0 || value >= 100 || Number.isInteger(value) ? 0 : 1;
    return (count < 0 ? '−' : '') + value.toFixed(digits) + ' ' + UNITS[unit];
}

export const number = count => count.toLocaleString('en');

export const time = text => new Date(text).toLocaleString();

export function span(seconds) {
    if (seconds < 120) return Math.round(seconds) + ' s';
    if (seconds < 7200) return Math.round(seconds / 60) + ' min';
    if (seconds < 172800) return Math.round(seconds / 3600) + ' h';
    return Math.round(seconds / 86400) + ' days';
}

export const color = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
