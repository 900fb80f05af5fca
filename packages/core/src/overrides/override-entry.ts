import type { Override } from '../model/override.js';
import { StoreClock } from './store-clock.js';

/** How a store has said its time. */
export interface Saying {
  /** When the request for it was sent, by the monotonic clock. Undefined for a store in this process, which answers immediately. */
  readonly sentAt: number | undefined;
  /** Milliseconds to which the time is rounded down. */
  readonly tick: number;
}

/** An override of a limiter in this process. */
export class OverrideEntry {
  readonly override: Override;
  /** Of the server that has the key: on a Cluster each has its own. */
  readonly #clock = new StoreClock();
  /** The latest time that the store has said. */
  #saidAt = -Infinity;
  #isOver = false;

  constructor(override: Override) {
    this.override = override;
  }

  /** Whether it has an end that has not come. */
  get isEnding(): boolean {
    return this.override.until !== undefined && !this.#isOver;
  }

  /** An override that has ended does not come back, also if the clock of the store is set back. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Whether the store is certainly before its end now. If it is certainly past its end, the override is over. */
  isCertain(): boolean {
    const range = this.#clock.range();
    if (range === undefined) return false;
    this.#see(range.from);
    return this.#isOver || range.to < this.override.until!;
  }

  /** @param time of the store in milliseconds since 1970 */
  hear(time: number, { sentAt, tick }: Saying): void {
    this.#saidAt = time;
    if (sentAt !== undefined) this.#clock.learn({ from: time, to: time + tick }, sentAt);
    this.#see(time);
  }

  /** Milliseconds until it ends: enough to wait. */
  timeLeft(): number {
    const from = this.#clock.range()?.from ?? this.#saidAt;
    return Math.max(1, Math.ceil(this.override.until! - from));
  }

  isOverAt(time: number): boolean {
    return time >= (this.override.until ?? Infinity);
  }

  #see(time: number): void {
    if (this.isOverAt(time)) this.#isOver = true;
  }
}
