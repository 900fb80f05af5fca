import type { shedder } from '@sluice/core/shed';

type LoopClock = NonNullable<Parameters<typeof shedder>[1]>;
type TickListener = Parameters<LoopClock['listen']>[0];

/** Milliseconds between two ticks. */
const TICK = 10;

/** The event loop of a process in simulated time: its timer is late by the work that is done before it. */
export class EventLoop implements LoopClock {
  /** Milliseconds. */
  time = 0;
  /** All connections are there from the start. */
  readonly door = { isQueued: false, hold: () => undefined };
  readonly #start: number;
  #busy = 0;
  #due = TICK;
  #listener: TickListener | undefined;

  /** @param start milliseconds since 1970 */
  constructor(start: number) {
    this.#start = start;
  }

  now(): number {
    return this.time;
  }

  date(): number {
    return this.#start + this.time;
  }

  late(now: number): number {
    return now - this.#due;
  }

  use(): void {}

  listen(listener: TickListener): void {
    this.#listener = listener;
  }

  work(milliseconds: number): void {
    this.time += milliseconds;
    this.#busy += milliseconds;
  }

  /** The loop sleeps, and wakes for its timer. */
  sleepUntil(time: number): void {
    this.time = Math.max(this.time, Math.min(time, this.#due));
  }

  tickIfDue(): void {
    if (this.time < this.#due) return;
    this.#listener?.(this.time, this.time - this.#due, () => this.#busy);
    this.#due = this.time + TICK;
  }
}
