import { LitElement, html } from 'lit';

/** In seconds; 0 is until the alarm ends. */
const TIMES = [[900, '15 minutes'], [3600, '1 hour'], [28800, '8 hours'], [86400, '24 hours'], [0, 'until it ends']];

/** Asks for how long nobody wants to hear of an alarm, and why. */
class Shelve extends LitElement {
    static properties = { alarm: { state: true } };

    createRenderRoot() {
        return this;
    }

    /** @param then called with what was chosen, if it was */
    async ask(alarm, then) {
        this.alarm = alarm;
        this.then = then;
        await this.updateComplete;
        this.querySelector('form').reset();
        this.querySelector('dialog').showModal();
    }

    take(event) {
        const form = new FormData(event.target);
        const reason = form.get('reason').trim();
        this.then({ duration: Number(form.get('duration')), ...(reason ? { reason } : {}) });
    }

    render() {
        return html`
            <dialog aria-labelledby="shelve-title">
                <form method="dialog" @submit=${this.take}>
                    <h2 id="shelve-title">Shelve “${this.alarm?.title || this.alarm?.alarm_title || this.alarm?.id}”</h2>
                    <p class="dim">Nobody is told of it meanwhile; it is watched all the same.</p>
                    <fieldset><legend>For how long</legend>${TIMES.map(([seconds, name], i) => html`
                        <label><input type="radio" name="duration" value=${seconds} ?checked=${i === 1}> ${name}</label>`)}</fieldset>
                    <label class="reason">Why <input name="reason" maxlength="500" autocomplete="off"></label>
                    <div class="row end">
                        <button type="button" class="quiet" @click=${event => event.target.closest('dialog').close()}>Cancel</button>
                        <button class="main">Shelve</button>
                    </div>
                </form>
            </dialog>`;
    }
}

customElements.define('mr-shelve', Shelve);
