import type { Lease } from '../../model/claim.js';

/**
 * Estimates how many units of a key are worth fetching together. Twice as many when a refill lasts less than half of the
 * lease's duration, fewer when units expire unused, none for a key with requests further apart than the duration.
 */
export class Demand {
  #refillSize = 0;
  #usedAt = -Infinity;
  #refilledAt = -Infinity;
  #duration = 0;
  #isFrequent = false;

  /** Units to fetch together. 0 for a key that no request has used recently, or that has no budget left. */
  get refillSize(): number {
    return this.#refillSize;
  }

  /** True when the last request is further back than the duration of its lease. */
  isIdle(now: number): boolean {
    return now - this.#usedAt > this.#duration;
  }

  noteRequest({ duration }: Lease, now: number): void {
    this.#duration = duration;
    this.#isFrequent = !this.isIdle(now);
    this.#usedAt = now;
  }

  /** The last request found fewer units than it costs. */
  noteShortage(cost: number): void {
    if (this.#refillSize > 0 || this.#isFrequent) this.#refillSize = Math.max(this.#refillSize, cost);
  }

  /** A refill that was sent at `sentAt` brought `granted` units of `wanted`. */
  noteRefill({ granted, wanted, sentAt }: { granted: number; wanted: number; sentAt: number }, lease: Lease): void {
    const isTooSmall = sentAt - this.#refilledAt < lease.duration / 2;
    if (granted < wanted) this.#refillSize = granted;
    else if (isTooSmall) this.#refillSize = Math.min(this.#refillSize * 2, lease.units);
    if (granted > 0) this.#refilledAt = sentAt;
  }

  noteUnused(units: number): void {
    this.#refillSize = Math.max(1, this.#refillSize - units);
  }
}
