/** Retries that a budget saves at most: those of a hundred first tries. */
const SAVED = 10;
/** Milliseconds of a part, and parts: retries of the last 10 seconds are a part of the first tries in them. */
const PART = 1_000;
const PARTS = 10;

interface Counts {
  /** Number of the part of time. */
  part: number;
  first: number;
  again: number;
}

/** Counts first tries and retries. A function of times. */
export class SpentRetries {
  readonly #budget: number;
  readonly #parts: Counts[] = Array.from({ length: PARTS }, () => ({ part: -Infinity, first: 0, again: 0 }));
  #saved = 0;

  /** @param budget retries for a first try */
  constructor(budget: number) {
    this.#budget = budget;
  }

  countFirst(now: number): void {
    this.#at(now).first += 1;
    this.#saved = Math.min(SAVED, this.#saved + this.#budget);
  }

  /** Retries that may begin. */
  left(now: number): number {
    const oldest = Math.floor(now / PART) - PARTS;
    const counts = this.#parts.filter(({ part }) => part > oldest);
    const sum = (of: 'first' | 'again') => counts.reduce((total, each) => total + each[of], 0);
    return Math.max(0, Math.floor(Math.min(this.#saved, this.#budget * sum('first') - sum('again')) + 1e-9));
  }

  /** @returns false if none is left */
  take(now: number): boolean {
    if (this.left(now) < 1) return false;
    this.#saved -= 1;
    this.#at(now).again += 1;
    return true;
  }

  #at(now: number): Counts {
    const part = Math.floor(now / PART);
    const counts = this.#parts[part % PARTS]!;
    if (counts.part !== part) Object.assign(counts, { part, first: 0, again: 0 });
    return counts;
  }
}
