import { setTimeout as delay } from 'node:timers/promises';
import {
  createLimiter,
  type Decision,
  type MaybePromise,
  type PolicyOptions,
  type Store,
} from '../../packages/core/src/index.js';

/** Milliseconds that a caller rests after each decision. */
const PACE = 8;

/** One caller who asks one limiter for more than it allows, from now until it is told to stop. */
export class Pressure {
  readonly rejections: unknown[] = [];
  readonly decisions: Decision[] = [];
  /** Milliseconds of `performance.now()` of everything that was admitted. */
  readonly admitted: number[] = [];
  /** Milliseconds that a decision has taken at most. */
  longest = 0;
  readonly #begun = performance.now();
  readonly #asking: Promise<void>;
  #stopped = false;

  constructor(store: Store, name: string, policy: PolicyOptions) {
    const tier = { name: name.replaceAll(/\W+/g, '-'), key: (subject: string) => subject, ...policy };
    const limiter = createLimiter<string>({ store, denyCache: false, tiers: [tier] });
    this.#asking = this.#ask(() => limiter.consume('ada'));
  }

  /** Milliseconds that it has lasted. */
  get elapsed(): number {
    return performance.now() - this.#begun;
  }

  /**
   * The longest time without an admission, in milliseconds, which begins anew at each step of the clock.
   *
   * @param steps milliseconds of `performance.now()`
   */
  longestGap(steps: readonly number[]): number {
    const times = [this.#begun, ...this.admitted, ...steps, this.#begun + this.elapsed].toSorted((a, b) => a - b);
    return Math.max(...times.slice(1).map((time, index) => time - times[index]!));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#asking;
  }

  async #ask(consume: () => MaybePromise<Decision>): Promise<void> {
    while (!this.#stopped) {
      const begun = performance.now();
      try {
        const decision = await consume();
        this.decisions.push(decision);
        if (decision.allowed) this.admitted.push(performance.now());
      } catch (reason) {
        this.rejections.push(reason);
      }
      this.longest = Math.max(this.longest, performance.now() - begun);
      await delay(PACE);
    }
  }
}
