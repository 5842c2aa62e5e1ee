import { html, nothing } from 'lit';

const WIDTH = 120;
const HEIGHT = 24;
const EDGE = 2;

/** The last values of a point as a line: its lowest at the bottom, its highest at the top. */
export function spark(past) {
    if (!past || past.length < 2) return nothing;
    const least = Math.min(...past);
    const most = Math.max(...past);
    const x = i => (i * WIDTH) / (past.length - 1);
    const y = value => (most === least ? HEIGHT / 2 : HEIGHT - EDGE - ((value - least) * (HEIGHT - 2 * EDGE)) / (most - least));
    return html`<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="from ${least} to ${most}">
        <polyline points=${past.map((value, i) => x(i).toFixed(1) + ',' + y(value).toFixed(1)).join(' ')}></polyline></svg>`;
}
