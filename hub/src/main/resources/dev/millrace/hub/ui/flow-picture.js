import { html, svg } from 'lit';

const WIDTH = 172;
const HEIGHT = 46;
const GAP = 52;
const BETWEEN = 18;

const short = (text, most) => (text.length > most ? text.slice(0, most - 1) + '…' : text);

/** The graph of a rule: a flow as it is written; any other rule as its conditions, what they come to, its actions. */
function graph(rule, record) {
    const inner = [rule, rule?.flow, rule?.flow_json, rule?.graph].find(each => each?.nodes);
    const trace = record?.trace ?? [];
    return inner ? flow(inner, trace, record) : plain(trace, record);
}

function flow(inner, trace, record) {
    const passed = new Map(trace.filter(line => line.kind === 'node').map(line => [line.node, line]));
    const list = Array.isArray(inner.nodes) ? inner.nodes : Object.entries(inner.nodes).map(([id, node]) => ({ id, ...node }));
    const nodes = list.map(node => {
        const line = passed.get(node.id);
        return {
            id: String(node.id),
            title: node.name ?? String(node.id),
            more: line?.why || ('result' in (line ?? {}) ? String(line.result) : node.type ?? ''),
            state: line?.state ?? (record ? 'skipped' : 'plain'),
        };
    });
    const edges = (inner.edges ?? []).map(edge => ({ from: String(edge.from), to: String(edge.to), label: edge.condition === undefined ? '' : String(edge.condition) }));
    for (const node of list) {
        const wires = node.wires ?? node.config?.wires;
        if (Array.isArray(wires)) wires.flat().forEach(to => edges.push({ from: String(node.id), to: String(to), label: '' }));
        else Object.entries(wires ?? {}).forEach(([port, to]) => [to].flat().forEach(each => edges.push({ from: String(node.id), to: String(each), label: port === 'default' ? '' : port })));
    }
    return { nodes, edges };
}

function plain(trace, record) {
    const nodes = [];
    const edges = [];
    trace.filter(line => line.kind === 'condition' || line.kind === 'expression').forEach((line, i) => {
        const id = 'c' + i;
        const title = line.kind === 'condition' ? line.source + ' ' + line.operator + ' ' + (line.value ?? '') : line.expression;
        const seen = line.kind === 'condition' ? line.seen : line.value;
        nodes.push({ id, title, more: (seen === null || seen === undefined ? 'missing' : 'saw ' + seen) + ' → ' + line.result, state: line.result ? 'completed' : 'false' });
        edges.push({ from: id, to: 'rule', label: '' });
    });
    nodes.push({ id: 'rule', title: record.conditions_met ? 'holds' : 'does not hold', more: record.error ?? '', state: record.error ? 'failed' : record.conditions_met ? 'completed' : 'false' });
    (record.actions_executed ?? []).forEach((action, i) => {
        const id = 'a' + i;
        nodes.push({ id, title: action.type + ' ' + (action.target ?? ''), more: [action.value, action.status, action.error].filter(Boolean).join(' · '),
            state: action.status === 'failed' ? 'failed' : action.status === 'skipped' ? 'skipped' : 'completed' });
        edges.push({ from: 'rule', to: id, label: '' });
    });
    return { nodes, edges };
}

/** How far each node is from where it begins; in a circle nobody stands behind himself. */
function layers(nodes, edges) {
    const depth = new Map(nodes.map(node => [node.id, 0]));
    for (let turn = 0; turn < nodes.length; turn++) {
        let moved = false;
        for (const { from, to } of edges) {
            if (depth.has(from) && depth.has(to) && depth.get(to) <= depth.get(from) && depth.get(from) < nodes.length - 1) {
                depth.set(to, depth.get(from) + 1);
                moved = true;
            }
        }
        if (!moved) break;
    }
    return depth;
}

/** A run of a rule as a picture: what was looked at, where it went, what was done. */
export function flowPicture(rule, record) {
    const { nodes, edges } = graph(rule, record);
    const depth = layers(nodes, edges);
    const rows = new Map();
    const places = new Map();
    for (const node of nodes) {
        const column = depth.get(node.id);
        const row = rows.get(column) ?? 0;
        rows.set(column, row + 1);
        places.set(node.id, { x: column * (WIDTH + GAP), y: row * (HEIGHT + BETWEEN) });
    }
    const width = (Math.max(0, ...depth.values()) + 1) * (WIDTH + GAP) - GAP;
    const height = Math.max(1, ...rows.values()) * (HEIGHT + BETWEEN) - BETWEEN;
    return html`<div class="scroll"><svg class="flow" viewBox=${'-2 -2 ' + (width + 4) + ' ' + (height + 4)} width=${width + 4} height=${height + 4} role="img"
            aria-label=${'The run: ' + nodes.map(node => node.title + ': ' + node.state).join(', ')}>
        ${edges.filter(edge => places.has(edge.from) && places.has(edge.to)).map(edge => line(places.get(edge.from), places.get(edge.to), edge.label))}
        ${nodes.map(node => box(node, places.get(node.id)))}</svg></div>`;
}

function line(from, to, label) {
    const x1 = from.x + WIDTH;
    const y1 = from.y + HEIGHT / 2;
    const y2 = to.y + HEIGHT / 2;
    const half = (x1 + to.x) / 2;
    return svg`<path class="edge" d=${`M${x1} ${y1} C${half} ${y1} ${half} ${y2} ${to.x} ${y2}`}></path>
        <text class="port" x=${half} y=${(y1 + y2) / 2 - 4} text-anchor="middle">${short(label, 9)}</text>`;
}

const box = (node, place) => svg`<g class=${'node ' + node.state} transform=${`translate(${place.x} ${place.y})`}>
    <title>${node.title + '\n' + node.more}</title>
    <rect width=${WIDTH} height=${HEIGHT} rx="6"></rect>
    <text x="10" y="19">${short(node.title, 24)}</text>
    <text class="more" x="10" y="37">${short(node.more, 26)}</text></g>`;
