import { copyOf } from './copy-of.js';

/** Clients choose paths. */
const MOST = 64;

/** How many requests go to which of the first few different paths. */
export class PathCounts {
  readonly #counts = new Map<string, number>();

  add(path: string): void {
    const known = this.#counts.get(path);
    if (known !== undefined || this.#counts.size < MOST)
      this.#counts.set(known === undefined ? copyOf(path) : path, (known ?? 0) + 1);
  }

  /** Where most go. Undefined where none goes. */
  get most(): string | undefined {
    return [...this.#counts].toSorted(([, one], [, other]) => other - one)[0]?.[0];
  }
}
