import { LoadShedder } from '../../packages/overload/src/shed/load-shedder.js';
import { Door } from '../../packages/overload/src/shed/door.js';
import type { DoorEvent } from '../../packages/overload/src/shed/shed-events.js';
import type { LoopClock, TickListener } from '../../packages/overload/src/shed/loop-watch.js';
import {
  readShedderOptions,
  type Shedder,
  type ShedderOptions,
} from '../../packages/overload/src/shed/shedder-options.js';
import { SHED, type Shedding } from '../../packages/http/src/gate/shedding.js';
import type { HttpRequest } from '../../packages/http/src/request/request.js';

/** An event loop whose timer is as late as a test says. */
export class ManualLoop implements LoopClock {
  #time = 0;
  #busy = 0;
  #listeners: TickListener[] = [];
  #atEnd: (() => void)[] = [];
  /** Descriptors that the process may have open. */
  descriptors = Infinity;
  /** What was let in. */
  readonly released: DoorEvent[] = [];
  readonly door = new Door(
    {
      now: () => this.#time,
      atEnd: (callback) => void this.#atEnd.push(callback),
      afterWork: (callback) => queueMicrotask(() => process.nextTick(callback)),
      descriptors: () => this.descriptors,
    },
    (event) => this.released.push(event),
  );
  /** Requests that have come. */
  uses = 0;
  /** What the listeners have said at the last tick. */
  mayEnd: readonly boolean[] = [];

  now(): number {
    return this.#time;
  }

  late(): number {
    return 0;
  }

  date(): number {
    return Date.now();
  }

  listen(listener: TickListener): () => void {
    this.#listeners.push(listener);
    return () => {
      this.uses += 1;
    };
  }

  /** A turn of the loop ends, in which as many connections were accepted. */
  turn(accepted: number, lasts = 0): void {
    for (let connection = 0; connection < accepted; connection += 1) this.door.accept(-1);
    this.#time += lasts;
    for (const callback of this.#atEnd.splice(0)) callback();
  }

  /** It is as late, and nothing happens. */
  advance(time: number): void {
    this.#time = time;
  }

  /** The timer fires at a time. */
  tickAt(time: number): void {
    this.#time = time;
    this.mayEnd = this.#listeners.map((listener) => listener(time, 0, () => this.#busy));
  }

  /** The timer fires this many milliseconds late, so often. */
  tick(late: number, times = 1): void {
    for (let tick = 0; tick < times; tick += 1) {
      this.#time += 10 + late;
      this.#busy += late;
      this.mayEnd = this.#listeners.map((listener) => listener(this.#time, late, () => this.#busy));
    }
  }
}

/** A shedder, and the loop that it measures. */
export function manualShedder<S extends HttpRequest>(
  options: ShedderOptions<S> = {},
): { readonly shed: Shedder<S>; readonly loop: ManualLoop } {
  const loop = new ManualLoop();
  return { shed: new LoadShedder(readShedderOptions(options), loop), loop };
}

/** What a shedder says whose process is so overloaded that all but critical requests are refused. */
export function overloadedShedder<S extends HttpRequest>(options: ShedderOptions<S> = {}): Shedder<S> {
  const { shed, loop } = manualShedder(options);
  loop.tick(1_000, 50);
  return shed;
}

/** A shedder that refuses all requests that tiers have demoted, and no other. */
export function demotedShedder<S extends HttpRequest>(): Shedding<S> {
  const shed = overloadedShedder<S>();
  return { [SHED]: (visit, demotedBy) => (demotedBy === undefined ? undefined : shed[SHED](visit, demotedBy)) };
}
