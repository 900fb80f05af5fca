import { setTimeout as delay } from 'node:timers/promises';
import {
  createLimiter,
  type Decision,
  type MaybePromise,
  type PolicyOptions,
  type Store,
} from '../../../packages/core/src/index.js';

/** Milliseconds between two requests. */
const PACE_MS = 8;

/** A caller that sends one limiter more than it admits, until `stop`. */
export class Pressure {
  readonly rejections: unknown[] = [];
  readonly decisions: Decision[] = [];
  /** Times of admissions, of `performance.now()`. */
  readonly admitted: number[] = [];
  /** The longest decision, in milliseconds. */
  longest = 0;
  readonly #begun = performance.now();
  readonly #running: Promise<void>;
  #stopped = false;

  constructor(store: Store, name: string, policy: PolicyOptions) {
    const tier = { name: name.replaceAll(/\W+/g, '-'), key: (subject: string) => subject, ...policy };
    const limiter = createLimiter<string>({ store, denyCache: false, tiers: [tier] });
    this.#running = this.#run(() => limiter.consume('ada'));
  }

  /** Milliseconds since the start. */
  get elapsed(): number {
    return performance.now() - this.#begun;
  }

  /**
   * The longest time without an admission, in milliseconds. Each step of the clock starts it again.
   *
   * @param steps milliseconds of `performance.now()`
   */
  longestGap(steps: readonly number[]): number {
    const times = [this.#begun, ...this.admitted, ...steps, this.#begun + this.elapsed].toSorted((a, b) => a - b);
    return Math.max(...times.slice(1).map((time, index) => time - times[index]!));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }

  async #run(consume: () => MaybePromise<Decision>): Promise<void> {
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
      await delay(PACE_MS);
    }
  }
}
