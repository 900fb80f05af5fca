import type { LeakyBucketOptions } from '../../../../packages/core/src/algorithms/leaky-bucket/leaky-bucket.js';
import type { TokenBucketOptions } from '../../../../packages/core/src/algorithms/token-bucket/token-bucket.js';
import { least, microseconds, most } from './integers.js';
import type { Charge, Model } from './model.js';

/** Units that were spent, and until when the last of them is spent. Units are doubles: a moment between two has a part. */
interface Held {
  readonly from: bigint;
  readonly until: bigint;
  readonly units: number;
}

/** A bucket whose limit moves. Units leave evenly, each in the time that its own limit gave it. */
export class MovingBucketModel implements Model<Held> {
  readonly tick = 1n;
  readonly capacity: bigint;
  readonly #quota: bigint;
  readonly #limit: bigint;
  readonly #window: bigint;
  readonly #queued: boolean;

  /** @param settles costs that are charged into the overdraft */
  constructor(options: TokenBucketOptions | LeakyBucketOptions, settles: boolean) {
    const queue = 'queue' in options ? options.queue : undefined;
    const overdraft = ('overdraft' in options && options.overdraft) || 0;
    this.#queued = queue !== undefined;
    this.#quota =
      queue === undefined ? BigInt(('burst' in options && options.burst) || options.limit) : BigInt(queue) + 1n;
    this.capacity = settles ? this.#quota + BigInt(overdraft) : this.#quota;
    this.#limit = BigInt(options.limit);
    this.#window = microseconds(options.window);
  }

  isAhead(stored: Held, now: bigint): boolean {
    return stored.from > now;
  }

  redated(stored: Held | undefined, now: bigint): Held {
    if (stored === undefined) return { from: 0n, until: 0n, units: 0 };
    const late = most(0n, stored.from - now);
    return { ...stored, from: stored.from - late, until: stored.until - late };
  }

  fits(state: Held, now: bigint, cost: bigint): boolean {
    if (state.until <= now) return true;
    const spare = (Number(this.capacity - cost) / state.units) * Number(state.until - state.from);
    return Number(state.until - now) <= spare;
  }

  isUnused(state: Held, now: bigint): boolean {
    return state.until <= now;
  }

  charge(state: Held, now: bigint, cost: bigint): Held {
    const spent = this.#spent(state, now);
    let units = least(cost, this.capacity);
    if (!this.fits(state, now, units)) units = most(0n, BigInt(Math.ceil(Number(this.capacity) - spent)));
    while (units > 0n && !this.fits(state, now, units)) units -= 1n;
    if (units === 0n) return state;
    return { from: now, until: most(now, state.until) + this.#time(Number(units)), units: spent + Number(units) };
  }

  refund(stored: Held, now: bigint, { units, at, until, undone }: Charge): { state: Held; refunded: bigint } {
    const nothing = { state: stored, refunded: 0n };
    if (this.#queued && stored.until !== until) return nothing;
    if (undone && stored.until === until && stored.from === at) {
      const left = stored.units - Number(units);
      const ends = left > 0 ? until - this.#time(Number(units)) : at;
      return { state: { from: at, until: ends, units: Math.max(0, left) }, refunded: units };
    }
    const state = this.redated(stored, now);
    const owed = most(0n, state.until - now);
    const time = this.#time(Number(units));
    const back = least(least(time, most(0n, until - now)), owed);
    if (back === 0n) return nothing;
    const spent = this.#spent(state, now);
    const given = Math.min(spent, Number(units) * (Number(back) / Number(time)));
    const left = spent - given;
    const rest = this.#queued ? owed - back : BigInt(Math.ceil(Number(owed) * (left / spent)));
    const held =
      rest > 0n && left > 0 ? { from: now, until: now + rest, units: left } : { from: now, until: now, units: 0 };
    return { state: held, refunded: BigInt(Math.ceil(given)) };
  }

  reportedLimit(): bigint {
    return this.#quota;
  }

  delay(before: Held, now: bigint): bigint {
    return this.#queued ? most(0n, before.until - now) : 0n;
  }

  #spent({ from, until, units }: Held, now: bigint): number {
    return until <= now ? 0 : units * (Number(until - now) / Number(until - from));
  }

  #time(units: number): bigint {
    const whole = Number(this.#window / this.#limit);
    return BigInt(Math.ceil(units * whole + (units * Number(this.#window % this.#limit)) / Number(this.#limit)));
  }
}
