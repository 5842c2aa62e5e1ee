import { LitElement, html } from 'lit';

/** Asks whether somebody means it. */
class Confirm extends LitElement {
    static properties = { title: { state: true }, text: { state: true }, verb: { state: true } };

    createRenderRoot() {
        return this;
    }

    /** Gives back whether it is meant. */
    async ask(title, text, verb) {
        Object.assign(this, { title, text, verb });
        await this.updateComplete;
        const dialog = this.querySelector('dialog');
        dialog.returnValue = '';
        dialog.showModal();
        return new Promise(done => dialog.addEventListener('close', () => done(dialog.returnValue === 'yes'), { once: true }));
    }

    render() {
        return html`
            <dialog aria-labelledby="confirm-title">
                <form method="dialog">
                    <h2 id="confirm-title">${this.title}</h2>
                    <p class="dim">${this.text}</p>
                    <div class="row end">
                        <button class="quiet" value="no">Cancel</button>
                        <button class="main" value="yes">${this.verb}</button>
                    </div>
                </form>
            </dialog>`;
    }
}

customElements.define('mr-confirm', Confirm);
