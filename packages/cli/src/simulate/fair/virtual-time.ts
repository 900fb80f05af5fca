import { randomOf } from '../random/random.js';

interface Timer {
  readonly at: number;
  /** Undefined when it was cleared, or has fired. */
  run: (() => void) | undefined;
  unref(): Timer;
}

/**
 * The time of a simulation. Lines of waiting requests use timers of the process, and no application needs others: so this one
 * takes their place while a simulation runs. Timers fire in their order, and nothing waits.
 */
export class VirtualTime {
  /** Milliseconds. */
  now = 0;
  /** In the order in which they fire. */
  readonly #timers: Timer[] = [];
  readonly #immediates: (() => void)[] = [];

  /** Runs until a time. @param seed of what is random meanwhile */
  async run(until: number, seed: number, begin: () => void): Promise<void> {
    const turn = globalThis.setImmediate;
    const restore = replaced([
      [globalThis, 'setTimeout', (run: () => void, after = 0) => this.#add(run, after)],
      [globalThis, 'clearTimeout', (timer?: Timer) => this.#clear(timer)],
      [globalThis, 'setImmediate', (run: () => void) => void this.#immediates.push(run)],
      [performance, 'now', () => this.now],
      [Math, 'random', randomOf(seed)],
    ]);
    try {
      begin();
      for (;;) {
        // Promises settle in a turn of the real loop.
        do {
          for (const run of this.#immediates.splice(0)) run();
          await new Promise<void>((resolve) => void turn(resolve));
        } while (this.#immediates.length > 0);
        const timer = this.#timers.shift();
        if (timer === undefined || timer.at > until) break;
        if (timer.run === undefined) continue;
        this.now = Math.max(this.now, timer.at);
        timer.run();
      }
    } finally {
      restore();
    }
  }

  #clear(timer: Timer | undefined): void {
    if (timer !== undefined) timer.run = undefined;
  }

  #add(run: () => void, after: number): Timer {
    const timer: Timer = { at: this.now + Math.max(0, after), run, unref: () => timer };
    let [low, high] = [0, this.#timers.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#timers[middle]!.at <= timer.at) low = middle + 1;
      else high = middle;
    }
    this.#timers.splice(low, 0, timer);
    return timer;
  }
}

type Replacement = readonly [holder: object, name: string, value: unknown];

/** Replaces functions. @returns what brings them back */
function replaced(replacements: readonly Replacement[]): () => void {
  const before = replacements.map(([holder, name]) => Object.getOwnPropertyDescriptor(holder, name));
  for (const [holder, name, value] of replacements) {
    Object.defineProperty(holder, name, { value, writable: true, configurable: true });
  }
  return () => {
    for (const [index, [holder, name]] of replacements.entries()) {
      const own = before[index];
      if (own === undefined) Reflect.deleteProperty(holder, name);
      else Object.defineProperty(holder, name, own);
    }
  };
}
