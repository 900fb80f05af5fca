import type { FindAct } from '@sluice/core/internal';
import type { Act } from './act.js';
import { STORE_ACTS } from './act-scripts.js';

/** Milliseconds between two attempts to find an act. A call whose reply was lost may still be on its way to the store. */
const PAUSES_MS = [1_000, 2_000, 5_000, 30_000] as const;
/** Answers that there is no such act, after which it has not happened. */
const ABSENT = 3;

interface Sought {
  readonly find: FindAct;
  absent: number;
}

/**
 * Looks for acts whose reply was lost, until the store says whether they have happened. The change and its act are in one step, so an
 * act that is found has happened, and one that is not found has changed nothing.
 */
export class ActSearch {
  readonly #onFound: (act: Act) => void;
  #sought: Sought[] = [];
  #looking: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #attempt = 0;

  constructor(onFound: (act: Act) => void) {
    this.#onFound = onFound;
  }

  /** Resolves after the first attempt. */
  async seek(find: FindAct): Promise<void> {
    // The list of the store holds no more.
    this.#sought = [...this.#sought, { find, absent: 0 }].slice(-STORE_ACTS);
    this.#attempt = 0;
    await this.#looking;
    await this.look();
  }

  /** Looks for all of them once. Those that are not found are looked for later. */
  async look(): Promise<void> {
    this.#looking ??= this.#lookOnce().finally(() => (this.#looking = undefined));
    await this.#looking;
  }

  async #lookOnce(): Promise<void> {
    clearTimeout(this.#timer);
    const sought = this.#sought;
    const open = await Promise.all(sought.map((each) => this.#isOpen(each)));
    const closed = new Set(sought.filter((_each, index) => !open[index]));
    this.#sought = this.#sought.filter((each) => !closed.has(each));
    if (this.#sought.length === 0) return;
    const pause = PAUSES_MS[Math.min(this.#attempt, PAUSES_MS.length - 1)];
    this.#attempt += 1;
    this.#timer = setTimeout(() => void this.look(), pause).unref();
  }

  async #isOpen(sought: Sought): Promise<boolean> {
    try {
      const act = await sought.find();
      if (act !== undefined) this.#onFound(act);
      else sought.absent += 1;
      return act === undefined && sought.absent < ABSENT;
    } catch {
      // The store is away, of which its breaker tells.
      return true;
    }
  }
}
