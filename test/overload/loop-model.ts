import { LoadShedder } from '../../packages/core/src/shed/load-shedder.js';
import type { LoopClock, TickListener } from '../../packages/core/src/shed/loop-watch.js';
import { readShedderOptions, type Priority } from '../../packages/core/src/shed/shedder-options.js';
import { SHED } from '../../packages/core/src/http/gate/shedding.js';
import { randomOf } from '../../packages/cli/src/simulate/random.js';

/** What a model of a process does, in milliseconds of its own time. */
export interface Scene {
  /** Requests that arrive, as a part of those that the process can serve. */
  readonly load: number;
  /** False for a process that refuses nothing. @default true */
  readonly sheds?: boolean;
  /** The part of the capacity that critical requests take, and that normal ones take. The others are sheddable. @default 0.3 */
  readonly critical?: number;
  readonly normal?: number;
  /** Work of a request. @default 5 */
  readonly work?: number;
  /** How long a request waits for a database before its work. @default 0: it works when it comes */
  readonly database?: number;
  /** When the process stops for `pause`, such as for a garbage collection. @default never */
  readonly pauseAt?: number;
  readonly pause?: number;
  readonly seed?: number;
}

export interface Seen {
  /** Requests of each priority in the time of the load: those that came, that were answered within a second, that were refused. */
  readonly came: Record<Priority, number>;
  readonly served: Record<Priority, number>;
  readonly refused: Record<Priority, number>;
  /** Requests that were answered within a second, as a part of what the process can serve beside its refusals. */
  readonly goodput: number;
  /** Requests that were refused before the load. */
  readonly refusedInCalm: number;
  /** The greatest level. */
  readonly highest: number;
  /** Milliseconds from the end of the load until the level is 0 and stays. */
  readonly calmAfter: number;
}

interface Request {
  readonly id: string;
  readonly priority: Priority;
  readonly arrival: number;
  readonly isOfLoad: boolean;
  /** When the database has answered. */
  readonly ready?: number;
}

/** Before the load, of it and after it. */
const CALM = 5_000;
const LOAD = 10_000;
const REST = 12_000;
const CALM_LOAD = 0.5;
const PATIENCE = 1_000;
/** Of the work of a request, as Node takes to refuse one. */
const REFUSAL = 0.01;
const TICK = 10;
/** Requests that a loop takes in one turn. */
const TURN = 1_024;

/** A process with one event loop, a timer of 10 ms and clients that do not wait for each other. */
export function runLoop(scene: Scene): Seen {
  const { sheds = true, work = 5, database = 0, pauseAt = Infinity, pause = 300, seed = 1 } = scene;
  const next = randomOf(seed);
  const clock = new ModelClock();
  const shedder = new LoadShedder(
    readShedderOptions<never>({ key: ({ id }: Request) => id, priority: ({ priority }: Request) => priority }),
    clock,
  );
  const counts = () => ({ critical: 0, normal: 0, sheddable: 0 });
  const [came, served, refused] = [counts(), counts(), counts()];
  let [refusedInCalm, highest, calmAfter, good, isPaused] = [0, 0, Infinity, 0, false];
  const arrivals = arrivalsOf(scene, next);
  const answers: Request[] = [];
  const queue: Request[] = [];
  let arriving = arrivals.next().value;

  const take = () => {
    for (; arriving !== undefined && arriving.arrival <= clock.time; arriving = arrivals.next().value)
      queue.push(arriving);
    while (answers.length > 0 && answers[0]!.ready! <= clock.time) queue.push(answers.shift()!);
  };
  const serve = (request: Request) => {
    clock.work(work * (0.8 + 0.4 * next()));
    if (!request.isOfLoad || clock.time - request.arrival > PATIENCE) return;
    served[request.priority] += 1;
    good += 1;
  };
  const isRefused = (request: Request) =>
    sheds && shedder[SHED]({ request, captureAddress() {} } as unknown as never) !== undefined;
  const enter = (request: Request) => {
    if (request.isOfLoad) came[request.priority] += 1;
    if (isRefused(request)) {
      clock.work(work * REFUSAL);
      if (request.isOfLoad) refused[request.priority] += 1;
      else if (request.arrival < CALM) refusedInCalm += 1;
    } else if (database === 0) serve(request);
    else answers.push({ ...request, ready: clock.time + database });
  };

  while (clock.time < CALM + LOAD + REST) {
    clock.tickIfDue();
    highest = Math.max(highest, shedder.level);
    if (clock.time >= CALM + LOAD) {
      if (shedder.level > 0) calmAfter = Infinity;
      else calmAfter = Math.min(calmAfter, clock.time - CALM - LOAD);
    }
    take();
    if (!isPaused && clock.time >= pauseAt) {
      isPaused = true;
      clock.work(pause);
    }
    if (queue.length === 0) {
      clock.sleepUntil(Math.min(arriving?.arrival ?? Infinity, answers[0]?.ready ?? Infinity));
      continue;
    }
    const turn = queue.splice(0, TURN);
    for (const request of turn) {
      if (request.ready === undefined) enter(request);
      else serve(request);
    }
  }
  const refusing = (refused.normal + refused.sheddable) * work * REFUSAL;
  return { came, served, refused, goodput: (good * work) / (LOAD - refusing), refusedInCalm, highest, calmAfter };
}

class ModelClock implements LoopClock {
  time = 0;
  #busy = 0;
  #due = TICK;
  #listener: TickListener | undefined;

  now(): number {
    return this.time;
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

/** Requests of 1 000 clients, at random times. */
function* arrivalsOf(
  { load, critical = 0.3, normal = 0.3, work = 5 }: Scene,
  next: () => number,
): Generator<Request, undefined> {
  let arrival = 0;
  while (arrival < CALM + LOAD + REST) {
    const isOfLoad = arrival >= CALM && arrival < CALM + LOAD;
    const now = isOfLoad ? load : Math.min(load, CALM_LOAD);
    const kind = next() * now;
    // In calm time each kind has a third.
    const [first, second] = [Math.min(critical, now / 3), Math.min(normal, now / 3)];
    const priority = kind < first ? 'critical' : kind < first + second ? 'normal' : 'sheddable';
    yield { id: `client ${Math.floor(next() * 1_000)}`, priority, arrival, isOfLoad };
    arrival -= (Math.log(1 - next()) * work) / now;
  }
  return undefined;
}
