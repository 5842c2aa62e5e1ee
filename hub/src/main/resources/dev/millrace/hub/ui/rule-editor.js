import { LitElement, html, nothing } from 'lit';
import { ask } from './ems.js';

const PAUSE = 400;
const OPERATORS = ['>', '>=', '<', '<=', '==', '!=', 'exists', 'not_exists'];
const WITHOUT_VALUE = ['exists', 'not_exists'];
const POINT = /^comsrv:\d+:[TSCA]:\d+$/;

const EXAMPLE = {
    name: 'Fan on when it is hot',
    trigger: { type: 'data_change' },
    condition: { source: 'comsrv:1:T:101', operator: '>', threshold: 80 },
    actions: [{ type: 'set_value', target: 'comsrv:1:C:20', value: 1 }],
    cooldown: 60,
};

/** Given by the hub, or said by buttons of their own. */
const NOT_TYPED = ['status', 'enabled', 'created_at', 'updated_at'];

const pretty = rule => JSON.stringify(rule, null, 2);

const scalar = text => (text.trim() !== '' && !Number.isNaN(Number(text)) ? Number(text) : text === 'true' ? true : text === 'false' ? false : text);

/** The text of a rule, checked by the hub while it is typed; beside it a form for simple ones. */
class RuleEditor extends LitElement {
    static properties = { rule: {}, text: {}, problem: { state: true }, verdict: { state: true }, saving: { state: true } };

    constructor() {
        super();
        this.problem = '';
        this.verdict = '';
        this.typed = '';
    }

    createRenderRoot() {
        return this;
    }

    disconnectedCallback() {
        super.disconnectedCallback();
        clearTimeout(this.later);
    }

    /** The rule itself is asked for now and then; what somebody types meanwhile stays. */
    willUpdate(changed) {
        if (!this.hasUpdated || changed.has('rule') && this.rule?.id !== changed.get('rule')?.id) {
            this.typed = this.text || pretty(this.stored());
            this.check();
        }
    }

    stored() {
        const known = this.rule ?? EXAMPLE;
        return Object.fromEntries(Object.entries(known).filter(([name]) => !NOT_TYPED.includes(name)));
    }

    read() {
        try {
            const rule = JSON.parse(this.typed);
            return rule && typeof rule === 'object' && !Array.isArray(rule) ? rule : undefined;
        } catch {
            return undefined;
        }
    }

    takes(text) {
        this.typed = text;
        this.dispatchEvent(new CustomEvent('mr-typed', { detail: text, bubbles: true }));
        this.verdict = '';
        clearTimeout(this.later);
        this.later = setTimeout(() => this.check(), PAUSE);
        this.requestUpdate();
    }

    /** Nothing is stored and nothing done by that. */
    async check() {
        const text = this.typed;
        try {
            JSON.parse(text);
        } catch (e) {
            this.problem = 'This is not JSON yet: ' + e.message;
            return;
        }
        try {
            const record = await ask('POST', '/api/rules/test', { rule: JSON.parse(text) });
            if (text !== this.typed) return;
            this.problem = '';
            this.verdict = record.error ? 'It can be saved. Now it would fail: ' + record.error
                : record.conditions_met ? 'It can be saved. Now it would act: ' + record.actions_executed.map(each => each.target).join(', ')
                : 'It can be saved. Now it would not act.' + (record.missing.length ? ' Missing: ' + record.missing.join(', ') : '');
        } catch (e) {
            if (text === this.typed) this.problem = e.message;
        }
    }

    async save() {
        const rule = this.read();
        if (!rule) return;
        this.saving = true;
        try {
            const { id } = this.rule ?? {};
            const saved = id ? await ask('PUT', '/api/rules/' + encodeURIComponent(id), rule) : await ask('POST', '/api/rules', rule);
            this.typed = this.typed.trim();
            this.dispatchEvent(new CustomEvent('mr-saved', { detail: saved, bubbles: true }));
        } catch (e) {
            this.problem = e.message;
        }
        this.saving = false;
    }

    /** What the form shows, if the rule is a simple one. */
    simple() {
        const rule = this.read();
        const condition = rule?.condition;
        const action = rule?.actions?.length === 1 ? rule.actions[0] : undefined;
        if (!condition?.operator || !action || !['set_value', 'device_control', 'log'].includes(action.type)) return undefined;
        if (!OPERATORS.includes(condition.operator) || rule.condition_groups || rule.nodes) return undefined;
        const source = condition.field ? condition.source + ':' + condition.field : condition.source;
        const target = action.type === 'device_control' ? 'comsrv:' + action.channel_id + ':' + (action.point_type ?? 'C') + ':' + action.point_id : action.target ?? '';
        return { rule, condition, action, source: source ?? '', target, limit: condition.threshold ?? condition.value ?? condition.target ?? '' };
    }

    fill(event) {
        const { rule, condition } = this.simple();
        const form = new FormData(event.currentTarget);
        const said = name => String(form.get(name) ?? '').trim();
        const changed = { ...rule, name: said('name') };
        changed.condition = { source: said('source'), operator: said('operator') };
        if (!WITHOUT_VALUE.includes(said('operator'))) changed.condition.threshold = scalar(said('limit'));
        if (Number(said('duration'))) changed.condition.duration = Number(said('duration'));
        else if (condition.type) changed.condition.type = condition.type;
        changed.actions = [said('target') ? { type: 'set_value', target: said('target'), value: scalar(said('value')) } : { type: 'log', message: said('value') }];
        if (Number(said('cooldown'))) changed.cooldown = Number(said('cooldown'));
        else delete changed.cooldown;
        this.takes(pretty(changed));
    }

    form() {
        const simple = this.simple();
        if (!simple) return html`<p class="dim">The form is for rules of one condition and one action; this one has more to it.</p>`;
        const { rule, condition, action, source, target, limit } = simple;
        const field = (name, label, value, more = '') => html`<label>${label}<input name=${name} .value=${String(value ?? '')} placeholder=${more} autocomplete="off"></label>`;
        return html`<form class="simple" @input=${this.fill} @submit=${event => event.preventDefault()}>
            ${field('name', 'Name', rule.name)}
            ${field('source', 'When this point', source, 'comsrv:1:T:101')}
            ${POINT.test(source) || !source ? nothing : html`<span class="dim">${source}</span>`}
            <label>is<select name="operator" .value=${condition.operator}>${OPERATORS.map(each => html`<option ?selected=${each === condition.operator}>${each}</option>`)}</select></label>
            ${field('limit', 'than', limit, '80')}
            ${field('duration', 'for so many seconds', condition.duration, '0')}
            ${field('target', 'set', target, 'comsrv:1:C:20')}
            ${field('value', 'to', action.value ?? action.message, '1')}
            ${field('cooldown', 'then rest for seconds', rule.cooldown, '0')}
        </form>`;
    }

    render() {
        const broken = Boolean(this.problem);
        return html`
            <div class="rule-editor">
                ${this.form()}
                <label class="json">The rule as JSON
                    <textarea id="rule-json" rows="18" spellcheck="false" aria-invalid=${broken} aria-describedby="rule-check"
                        .value=${this.typed} @input=${event => this.takes(event.target.value)}></textarea></label>
                <p id="rule-check" class=${broken ? 'bad' : 'dim'} role="status">${this.problem || this.verdict || 'Being checked …'}</p>
                <div class="row"><button class="main" id="save" ?disabled=${broken || this.saving} @click=${this.save}>Save</button></div>
            </div>`;
    }
}

customElements.define('mr-rule-editor', RuleEditor);
