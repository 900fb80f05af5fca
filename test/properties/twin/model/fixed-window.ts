import type { FixedWindowOptions } from '../../../../packages/core/src/algorithms/fixed-window/fixed-window.js';
import { ceilDiv, least, microseconds, most } from './integers.js';
import type { Asked, Charge, Model } from './model.js';

interface Counted {
  readonly count: bigint;
  /** The first time after the window. */
  readonly end: bigint;
}

/** A count and the window that it is of. A first window ends with a grain, a window of the clock with its index. */
export class FixedWindowModel implements Model<Counted> {
  readonly tick = 1n;
  readonly capacity: bigint;
  readonly #window: bigint;
  readonly #clock: boolean;
  /** The shortest power of ten from a millisecond on that there are at most 2^20 of in a window. */
  #grain = 1000n;

  constructor({ limit, window, anchor }: FixedWindowOptions) {
    this.capacity = BigInt(limit);
    this.#window = microseconds(window);
    this.#clock = anchor === 'clock';
    while (this.#window > this.#grain * 2n ** 20n) this.#grain *= 10n;
  }

  isAhead({ end }: Counted, now: bigint): boolean {
    return end > this.#endOf(now);
  }

  dated(stored: Counted | undefined, now: bigint): Counted {
    const end = this.#endOf(now);
    if (stored === undefined || stored.end <= now) return { count: 0n, end };
    return stored.end > end ? { count: stored.count, end } : stored;
  }

  fits({ count, end }: Counted, now: bigint, cost: bigint): boolean {
    const counts = now < end ? least(count, this.capacity) : 0n;
    return counts + cost <= this.capacity;
  }

  unused({ count, end }: Counted, now: bigint): boolean {
    return count === 0n || now >= end;
  }

  charge({ count, end }: Counted, _now: bigint, cost: bigint): Counted {
    return { count: count + least(cost, most(0n, this.capacity - count)), end };
  }

  refund(stored: Counted, now: bigint, { units, until }: Charge): { state: Counted; given: bigint } {
    const { count, end } = this.dated(stored, now);
    const given = end === until ? least(units, count) : 0n;
    return given === 0n ? { state: stored, given } : { state: { count: count - given, end }, given };
  }

  shown(_state: Counted, _now: bigint, _asked: Asked): bigint {
    return this.capacity;
  }

  delay(): bigint {
    return 0n;
  }

  #endOf(now: bigint): bigint {
    if (this.#clock) return (now / this.#window + 1n) * this.#window;
    return ceilDiv(now + this.#window, this.#grain) * this.#grain;
  }
}
