import type { ExportPass } from './export-pass.js';

/** Since when usage waits for an export, by prefix, as the last runs of this process have learnt. */
export class WaitingTimes {
  /** By the clock of this process. */
  readonly #since = new Map<string, number>();

  /** Milliseconds. Undefined before a run has learnt it. */
  longest(): number | undefined {
    if (this.#since.size === 0) return undefined;
    return Math.max(0, ...[...this.#since.values()].map((since) => Date.now() - since));
  }

  learn(prefix: string, { lock: { now, completed }, openSince }: Pick<ExportPass, 'lock' | 'openSince'>): void {
    const before = this.#since.get(prefix);
    if (now === 0) {
      // The store does not answer: from now on it is not known what waits.
      this.#since.set(prefix, before ?? Date.now());
      return;
    }
    const toLocal = Date.now() - now;
    // What was open before was exported by then: an hour that a late refund has opened again has not waited since its end.
    const exported = completed > 0 ? completed + toLocal : -Infinity;
    const since = openSince === undefined ? before : openSince + toLocal;
    if (since !== undefined || completed > 0) this.#since.set(prefix, Math.max(since ?? -Infinity, exported));
  }
}
