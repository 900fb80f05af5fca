import type { WindowOptions } from '../../../../packages/core/src/algorithms/fixed-window/fixed-window.js';
import { ceilDiv, least, microseconds, most } from './integers.js';
import type { Charge, Model } from './model.js';

interface Counted {
  readonly count: bigint;
  /** The first time after the window. */
  readonly end: bigint;
}

/** The units of a window. A window ends at a grain, or at a multiple of its length when the clock is its anchor. */
export class FixedWindowModel implements Model<Counted> {
  readonly tick = 1n;
  readonly capacity: bigint;
  readonly #window: bigint;
  readonly #clock: boolean;
  /** The shortest power of ten, a millisecond or longer, of which a window has at most 2^20. */
  #grain = 1000n;

  constructor({ limit, window, anchor }: WindowOptions) {
    this.capacity = BigInt(limit);
    this.#window = microseconds(window);
    this.#clock = anchor === 'clock';
    while (this.#window > this.#grain * 2n ** 20n) this.#grain *= 10n;
  }

  isAhead({ end }: Counted, now: bigint): boolean {
    return end > this.#endOf(now);
  }

  redated(stored: Counted | undefined, now: bigint): Counted {
    const end = this.#endOf(now);
    if (stored === undefined || stored.end <= now) return { count: 0n, end };
    return stored.end > end ? { count: stored.count, end } : stored;
  }

  fits({ count, end }: Counted, now: bigint, cost: bigint): boolean {
    const counts = now < end ? least(count, this.capacity) : 0n;
    return counts + cost <= this.capacity;
  }

  isUnused({ count, end }: Counted, now: bigint): boolean {
    return count === 0n || now >= end;
  }

  charge({ count, end }: Counted, _now: bigint, cost: bigint): Counted {
    return { count: count + least(cost, most(0n, this.capacity - count)), end };
  }

  refund(stored: Counted, now: bigint, { units, until }: Charge): { state: Counted; refunded: bigint } {
    const { count, end } = this.redated(stored, now);
    const refunded = end === until ? least(units, count) : 0n;
    if (refunded === 0n) return { state: stored, refunded };
    // A window without units has not begun.
    return { state: { count: count - refunded, end: refunded === count ? 0n : end }, refunded };
  }

  reportedLimit(): bigint {
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
