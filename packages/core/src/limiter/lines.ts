import { Line, type Work } from './line.js';
import type { Decision } from '../model/decision.js';

/** What decides which line some work stands in. */
export interface LineKey {
  readonly keys: string;
  /** True where a denied check is charged too: then checks are sent one by one. */
  readonly chargesDenied: boolean;
}

/** Lines of work, one for each set of keys. An empty one is dropped. */
export class Lines {
  readonly #lines = new Map<string, Line>();

  /** Waits for the turn of some work. Undefined for work that leaves undecided. */
  enter({ keys, chargesDenied }: LineKey, work: Work): Promise<Decision | undefined> {
    let line = this.#lines.get(keys);
    if (line === undefined) {
      line = new Line(chargesDenied ? 1 : Infinity, () => void this.#lines.delete(keys));
      this.#lines.set(keys, line);
    }
    return line.enter(work);
  }
}
