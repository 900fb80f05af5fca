import { Door } from '@sluice/overload/internal';
import type { shedder } from '@sluice/overload';

type LoopClock = NonNullable<Parameters<typeof shedder>[1]>;
/** A request at the door. */
export type Held = Parameters<Door['hold']>[0];
type TickListener = Parameters<LoopClock['listen']>[0];

/** Milliseconds between two ticks. */
const TICK = 10;

/** The event loop of a process in simulated time: its timer is late by the work that is done before it. */
export class EventLoop implements LoopClock {
  /** Milliseconds. */
  time = 0;
  readonly door: LoopClock['door'];
  readonly #door: Door;
  /** What the end of a turn calls back, and what follows the work of a released request. */
  readonly #atEnd: { readonly callback: () => void; readonly isUrgent: boolean }[] = [];
  readonly #afterWork: (() => void)[] = [];
  readonly #start: number;
  #busy = 0;
  #due = TICK;
  #listener: TickListener | undefined;

  /** @param start milliseconds since 1970. @param watch sees each request that is held */
  constructor(start: number, watch: (request: Held) => Held) {
    this.#start = start;
    const door = new Door(
      {
        now: () => this.time,
        atEnd: (callback, isUrgent) => void this.#atEnd.push({ callback, isUrgent }),
        afterWork: (callback) => void this.#afterWork.push(callback),
        descriptors: () => Infinity,
      },
      () => undefined,
    );
    this.#door = door;
    this.door = {
      get isQueued() {
        return door.isQueued;
      },
      hold: (request) => door.hold(watch(request)),
    };
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

  listen(listener: TickListener): () => void {
    this.#listener = listener;
    return () => {};
  }

  work(milliseconds: number): void {
    this.time += milliseconds;
    this.#busy += milliseconds;
  }

  /** The loop sleeps, and wakes for its timer. */
  sleepUntil(time: number): void {
    this.time = Math.max(this.time, Math.min(time, this.#due));
  }

  accept(connections: number): void {
    for (let accepted = 0; accepted < connections; accepted += 1) this.#door.accept(-1);
  }

  /** False while somebody waits for the end of a turn, so that it does not sleep. */
  get maySleep(): boolean {
    return !this.#atEnd.some(({ isUrgent }) => isUrgent);
  }

  /** @param settled resolves when all requests that were released have been worked on */
  async endTurn(settled: () => Promise<void>): Promise<void> {
    for (const { callback } of this.#atEnd.splice(0)) callback();
    for (let next = this.#afterWork.shift(); next !== undefined; next = this.#afterWork.shift()) {
      await settled();
      next();
    }
  }

  tickIfDue(): void {
    if (this.time < this.#due) return;
    this.#listener?.(this.time, this.time - this.#due, () => this.#busy);
    this.#due = this.time + TICK;
  }
}
