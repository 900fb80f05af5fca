import { processWide } from '@sluice/core/internal';
import type { Door } from './door.js';
import { DoorWatch } from './door-watch.js';

/** Milliseconds between two ticks. */
const PERIOD = 10;
/** Ticks without a request after which nobody listens any more. */
const IDLE_TICKS = 1_000;

/**
 * @param late milliseconds
 * @param busy milliseconds that the loop has worked, in all
 * @returns whether the ticks may end when no request comes
 */
export type TickListener = (now: number, late: number, busy: () => number) => boolean;

/** What measures the delay of an event loop. */
export interface LoopClock {
  /** Monotonic milliseconds. */
  now(): number;
  /** Milliseconds that the next tick is late. Below 0 before it is due. */
  late(now: number): number;
  /** Milliseconds since 1970. */
  date(): number;
  /** Where new connections enter. */
  readonly door: Pick<Door, 'isQueued' | 'hold'>;
  /** Calls back at each tick, while requests come. @returns says that one has come */
  listen(listener: TickListener): () => void;
}

/** What ticks call, and how many have passed since its last request. */
interface Listening {
  readonly listener: TickListener;
  unused: number;
  isCalled: boolean;
}

/**
 * One timer for all shedders of a process. It does not keep the process alive, and knows those alone to which requests come:
 * one that is forgotten costs nothing, and an idle process is not woken.
 */
class LoopWatch implements LoopClock {
  readonly #listening = new Set<Listening>();
  readonly #doorWatch = new DoorWatch();
  #timer: NodeJS.Timeout | undefined;
  #due = 0;

  get door(): Door {
    return this.#doorWatch.door;
  }

  now(): number {
    return performance.now();
  }

  late(now: number): number {
    return now - this.#due;
  }

  date(): number {
    return Date.now();
  }

  listen(listener: TickListener): () => void {
    const listening: Listening = { listener, unused: 0, isCalled: false };
    return () => {
      listening.unused = 0;
      if (!listening.isCalled) this.#call(listening);
    };
  }

  #call(listening: Listening): void {
    listening.isCalled = true;
    this.#listening.add(listening);
    if (this.#timer === undefined) this.#start();
  }

  #start(): void {
    this.#doorWatch.open();
    this.#due = performance.now() + PERIOD;
    this.#timer = setInterval(() => this.#tick(), PERIOD);
    // Not on Node it can be a number.
    (this.#timer as Partial<NodeJS.Timeout>).unref?.();
  }

  #tick(): void {
    const now = performance.now();
    const late = now - this.#due;
    this.#due = now + PERIOD;
    for (const listening of this.#listening) {
      listening.unused += 1;
      const mayEnd = listening.listener(now, late, busy);
      if (!mayEnd || listening.unused < IDLE_TICKS) continue;
      listening.isCalled = false;
      this.#listening.delete(listening);
    }
    if (this.#listening.size > 0) return;
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
