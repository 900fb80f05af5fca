import type { BackoffOptions } from '../../../../packages/core/src/algorithms/backoff/backoff.js';
import { ceilDiv, least, microseconds, most } from './integers.js';
import type { Charge, Hints, Model } from './model.js';

interface Strikes {
  readonly last: bigint;
  readonly count: bigint;
}

const MOST = 1000n;
/** Above the most strikes. */
const RANGE = 1024n;

/** Strikes, each of which blocks for longer. */
export class BackoffModel implements Model<Strikes> {
  readonly tick = 1000n;
  readonly capacity = MOST;
  readonly #limit: bigint;
  readonly #span: bigint;
  readonly #delays: readonly bigint[];
  readonly #lockAt: bigint;
  readonly #forgivesAll: boolean;

  constructor({ limit, window, delays, lockAt, forgive }: BackoffOptions) {
    this.#limit = BigInt(limit);
    this.#span = ceilDiv(microseconds(window), this.tick);
    this.#delays = delays.map((each) => ceilDiv(microseconds(each), this.tick));
    this.#lockAt = lockAt === undefined ? MOST + 1n : BigInt(lockAt);
    this.#forgivesAll = forgive === 'all';
  }

  isAhead({ last }: Strikes, now: bigint): boolean {
    return last > now;
  }

  redated(stored: Strikes | undefined, now: bigint): Strikes {
    if (stored === undefined || stored.count === 0n || now >= stored.last + this.#span) return { last: 0n, count: 0n };
    return { last: least(stored.last, now), count: stored.count };
  }

  fits(state: Strikes, now: bigint): boolean {
    return this.#wait(state, now) === 0n;
  }

  isUnused({ last, count }: Strikes, now: bigint): boolean {
    return count === 0n || now >= last + this.#span;
  }

  charge(state: Strikes, now: bigint, cost: bigint): Strikes {
    return this.fits(state, now) ? { last: now, count: least(MOST, state.count + cost) } : state;
  }

  before({ last, count }: Strikes): bigint {
    return last * RANGE + count;
  }

  refund(
    stored: Strikes,
    now: bigint,
    { units, at, undone, before = 0n }: Charge,
  ): { state: Strikes; refunded: bigint } {
    const { last, count } = this.redated(stored, now);
    if (undone) {
      const found = { last: before / RANGE, count: before % RANGE };
      const refunded = least(count, least(units, MOST - found.count));
      const left = count - refunded;
      // Its strikes were the latest, and no other remains of those since.
      const isRestored = last === at && left === found.count;
      return { state: isRestored ? found : { last, count: left }, refunded };
    }
    const refunded = this.#forgivesAll && units > 0n ? count : least(units, count);
    return { state: { last, count: count - refunded }, refunded };
  }

  hints(state: Strikes, now: bigint): Hints {
    const resetAfter = this.isUnused(state, now) ? 0n : state.last + this.#span - now;
    return {
      retryAfter: this.#wait(state, now),
      replenishAfter: resetAfter,
      resetAfter,
      remaining: most(0n, this.#limit - state.count),
    };
  }

  reportedLimit(): bigint {
    return this.#limit;
  }

  delay(): bigint {
    return 0n;
  }

  #wait({ last, count }: Strikes, now: bigint): bigint {
    const above = count - this.#limit;
    if (above <= 0n) return 0n;
    const delay = this.#delays[Number(least(above, BigInt(this.#delays.length))) - 1]!;
    return most(0n, last + (count >= this.#lockAt ? this.#span : delay) - now);
  }
}
