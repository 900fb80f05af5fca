import { least, most } from './integers.js';
import type { Charge, Hints, Model } from './model.js';

/** The time until which it denies. */
export class PauseModel implements Model<bigint> {
  readonly tick = 1000n;
  readonly capacity = 2n ** 32n - 1n;

  isAhead(until: bigint, now: bigint): boolean {
    return until > now + this.capacity;
  }

  redated(stored: bigint | undefined, now: bigint): bigint {
    return least(stored ?? 0n, now + this.capacity);
  }

  fits(until: bigint, now: bigint): boolean {
    return now >= until;
  }

  isUnused(until: bigint, now: bigint): boolean {
    return now >= until;
  }

  charge(until: bigint, now: bigint, milliseconds: bigint): bigint {
    return most(until, now + milliseconds);
  }

  refund(stored: bigint, _now: bigint, { units, until, undone }: Charge): { state: bigint; refunded: bigint } {
    return undone && stored === until ? { state: 0n, refunded: units } : { state: stored, refunded: 0n };
  }

  hints(until: bigint, now: bigint): Hints {
    const left = most(0n, until - now);
    return { retryAfter: left, replenishAfter: left, resetAfter: left, remaining: left > 0n ? 0n : 1n };
  }

  reportedLimit(): bigint {
    return 1n;
  }

  delay(): bigint {
    return 0n;
  }
}
