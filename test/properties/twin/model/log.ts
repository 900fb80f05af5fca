import type { SlidingWindowLogOptions } from '../../../../packages/core/src/algorithms/sliding-window-log/sliding-window-log.js';
import { least, microseconds, most } from './integers.js';
import type { Charge, Model } from './model.js';

/** The charges, oldest first. */
export type Charged = readonly { readonly at: bigint; readonly units: bigint }[];

/** A unit at u counts in [u, u + W). */
export class LogModel implements Model<Charged> {
  readonly tick = 1n;
  readonly capacity: bigint;
  readonly #window: bigint;

  constructor({ limit, window }: SlidingWindowLogOptions) {
    this.capacity = BigInt(limit);
    this.#window = microseconds(window);
  }

  isAhead(stored: Charged, now: bigint): boolean {
    return stored.some(({ at }) => at > now);
  }

  redated(stored: Charged | undefined, now: bigint): Charged {
    if (stored === undefined || this.isAhead(stored, now)) return [];
    return stored.filter(({ at }) => now < at + this.#window);
  }

  fits(state: Charged, now: bigint, cost: bigint): boolean {
    return this.live(state, now) + cost <= this.capacity;
  }

  isUnused(state: Charged, now: bigint): boolean {
    return this.live(state, now) === 0n;
  }

  charge(state: Charged, now: bigint, cost: bigint): Charged {
    const units = least(cost, most(0n, this.capacity - this.live(state, now)));
    return units === 0n ? state : [...state, { at: now, units }];
  }

  refund(stored: Charged, now: bigint, { units, at }: Charge): { state: Charged; refunded: bigint } {
    let refunded = 0n;
    const state: { at: bigint; units: bigint }[] = [];
    for (const each of this.redated(stored, now)) {
      const back = each.at === at ? least(units - refunded, each.units) : 0n;
      refunded += back;
      if (back < each.units) state.push({ at: each.at, units: each.units - back });
    }
    return refunded === 0n ? { state: stored, refunded } : { state, refunded };
  }

  reportedLimit(): bigint {
    return this.capacity;
  }

  delay(): bigint {
    return 0n;
  }

  /** Units that count at `now`. */
  live(state: Charged, now: bigint): bigint {
    return state.reduce((sum, { at, units }) => (now < at + this.#window ? sum + units : sum), 0n);
  }
}
