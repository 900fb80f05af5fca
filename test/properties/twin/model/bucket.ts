import type { LeakyBucketOptions } from '../../../../packages/core/src/algorithms/leaky-bucket/leaky-bucket.js';
import type { TokenBucketOptions } from '../../../../packages/core/src/algorithms/token-bucket/token-bucket.js';
import { ceilDiv, least, microseconds, most } from './integers.js';
import type { Charge, Model } from './model.js';

/** The time at which the bucket is full again, in parts of a microsecond. */
interface FullAt {
  readonly parts: bigint;
  /** Parts of a microsecond. */
  readonly per: bigint;
}

/** A bucket that refills one unit every W / limit. A part is 1 / limit of a microsecond, so a unit is W parts. */
export class BucketModel implements Model<FullAt> {
  readonly tick = 1n;
  readonly capacity: bigint;
  readonly #quota: bigint;
  /** The most that may be spent: the capacity, and an overdraft. */
  readonly #most: bigint;
  readonly #limit: bigint;
  readonly #unit: bigint;
  readonly #queued: boolean;

  /** @param settles costs that are charged into the overdraft */
  constructor(options: TokenBucketOptions | LeakyBucketOptions, settles: boolean) {
    this.#limit = BigInt(options.limit);
    this.#unit = microseconds(options.window);
    const queue = 'queue' in options ? options.queue : undefined;
    this.#queued = queue !== undefined;
    this.#quota =
      queue === undefined ? BigInt(('burst' in options && options.burst) || options.limit) : BigInt(queue) + 1n;
    this.#most = this.#quota + BigInt(('overdraft' in options && options.overdraft) || 0);
    this.capacity = settles ? this.#most : this.#quota;
  }

  isAhead(stored: FullAt, now: bigint): boolean {
    return this.#parts(stored) > this.#latest(now);
  }

  redated(stored: FullAt | undefined, now: bigint): FullAt {
    const parts = stored === undefined ? 0n : this.#parts(stored);
    return { parts: least(parts, this.#latest(now)), per: this.#limit };
  }

  fits(state: FullAt, now: bigint, cost: bigint): boolean {
    return this.#debt(state, now) + cost * this.#unit <= this.capacity * this.#unit;
  }

  isUnused(state: FullAt, now: bigint): boolean {
    return this.#debt(state, now) === 0n;
  }

  charge(state: FullAt, now: bigint, cost: bigint): FullAt {
    const spent = this.#debt(state, now);
    const room = most(0n, (this.capacity * this.#unit - spent) / this.#unit);
    return { parts: now * this.#limit + spent + least(cost, room) * this.#unit, per: this.#limit };
  }

  refund(stored: FullAt, now: bigint, { units, until }: Charge): { state: FullAt; refunded: bigint } {
    const parts = this.#parts(stored);
    if (this.#queued && ceilDiv(stored.parts, stored.per) !== until) return { state: stored, refunded: 0n };
    const held = most(0n, least((until - now) * this.#limit, units * this.#unit));
    const back = least(held, most(0n, parts - now * this.#limit));
    const refunded = ceilDiv(back, this.#unit);
    return refunded === 0n
      ? { state: stored, refunded }
      : { state: { parts: parts - back, per: this.#limit }, refunded };
  }

  reportedLimit(): bigint {
    return this.#quota;
  }

  delay(before: FullAt, now: bigint): bigint {
    return this.#queued ? ceilDiv(this.#debt(before, now), this.#limit) : 0n;
  }

  #latest(now: bigint): bigint {
    return now * this.#limit + this.#most * this.#unit;
  }

  #debt(state: FullAt, now: bigint): bigint {
    return most(0n, this.#parts(state) - now * this.#limit);
  }

  /** Under another limit, too many parts of a microsecond round up to a whole one. */
  #parts({ parts, per }: FullAt): bigint {
    if (per === this.#limit) return parts;
    const rest = parts % per;
    return rest < this.#limit ? (parts / per) * this.#limit + rest : (parts / per + 1n) * this.#limit;
  }
}
