import { LitElement } from 'lit';
import { call, every } from './api.js';

/** A card about work in the background: begun here, watched while it runs, also if somebody else began it. */
export class Chore extends LitElement {
    static properties = { state: { state: true }, failure: { state: true } };

    /** Where the work is asked about. */
    get path() {
        throw new Error('Each chore has its path.');
    }

    createRenderRoot() {
        return this;
    }

    connectedCallback() {
        super.connectedCallback();
        this.look();
    }

    disconnectedCallback() {
        super.disconnectedCallback();
        this.end?.();
    }

    async ask(method, body) {
        try {
            this.state = await call(method, this.path, body);
            this.failure = '';
        } catch (e) {
            this.failure = e.message;
        }
    }

    async look() {
        await this.ask('GET');
        if (this.state?.running && !this.end) {
            this.end = every(1000, async () => {
                await this.ask('GET');
                if (!this.state?.running) {
                    this.end?.();
                    this.end = undefined;
                }
            });
        }
    }
}
