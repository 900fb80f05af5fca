import { processWide } from '../model/process-wide.js';
import type { Door } from './door.js';
import { DoorWatch } from './door-watch.js';

/** Milliseconds between two ticks. */
const PERIOD = 10;
/** Ticks without a request after which the timer ends: an idle process is not woken. */
const IDLE_TICKS = 1_000;

/** @param late milliseconds. @param busy milliseconds that the loop has worked, in all */
export type TickListener = (now: number, late: number, busy: () => number) => void;

/** What measures the delay of an event loop. */
export interface LoopClock {
  /** Monotonic milliseconds. */
  now(): number;
  /** Milliseconds that the next tick is late. Below 0 before it is due. */
  late(now: number): number;
  /** A request has come: the ticks go on. */
  use(): void;
  /** Milliseconds since 1970. */
  date(): number;
  /** Where new connections enter. */
  readonly door: Pick<Door, 'isQueued' | 'hold'>;
  /** Calls back at each tick. */
  listen(listener: TickListener): void;
}

/** One timer for all shedders of a process. It does not keep the process alive, and ends while no request comes. */
class LoopWatch implements LoopClock {
  readonly #listeners = new Set<TickListener>();
  readonly #doorWatch = new DoorWatch();
  #timer: NodeJS.Timeout | undefined;
  #due = 0;
  #unused = 0;

  get door(): Door {
    return this.#doorWatch.door;
  }

  now(): number {
    return performance.now();
  }

  late(now: number): number {
    return now - this.#due;
  }

  use(): void {
    this.#unused = 0;
    if (this.#timer !== undefined) return;
    this.#doorWatch.open();
    this.#due = performance.now() + PERIOD;
    this.#timer = setInterval(() => this.#tick(), PERIOD);
    // Not on Node it can be a number.
    (this.#timer as Partial<NodeJS.Timeout>).unref?.();
  }

  date(): number {
    return Date.now();
  }

  listen(listener: TickListener): void {
    this.#listeners.add(listener);
  }

  #tick(): void {
    const now = performance.now();
    const late = now - this.#due;
    this.#due = now + PERIOD;
    for (const listener of this.#listeners) listener(now, late, busy);
    this.#unused += 1;
    if (this.#unused < IDLE_TICKS) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#doorWatch.close();
  }
}

/** 0 where the platform does not say: then admitted work is no part of the load. */
function busy(): number {
  const { eventLoopUtilization } = performance as Partial<typeof performance>;
  return eventLoopUtilization?.call(performance).active ?? 0;
}

/** That of this process, for all copies of this package. */
export const loopWatch = (): LoopClock => processWide('loop-watch', () => new LoopWatch());
