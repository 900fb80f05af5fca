import { shedder, type Priority, type ShedderOptions } from '@sluice/core/shed';
import { randomOf } from '../random.js';
import { EventLoop } from './event-loop.js';

/** A time with a load. */
export interface Phase {
  /** Requests that arrive, as a part of those that the process can serve. Above 0. */
  readonly times: number;
  /** Milliseconds. */
  readonly lasts: number;
}

/** A process and its load, in milliseconds of its own time. */
export interface Scene {
  /** One after the other. */
  readonly phases: readonly Phase[];
  /** Work of a request. */
  readonly work: number;
  /** The parts of the capacity that critical requests take, and normal ones. The others are sheddable. */
  readonly critical: number;
  readonly normal: number;
  /** How long a request waits for a database before its work. 0: it works when it comes. */
  readonly database: number;
  readonly clients: number;
  readonly seed: number;
  readonly shed: Pick<ShedderOptions<never>, 'target' | 'mode'>;
  /** When the process stops for 300 ms, such as for a garbage collection. @default never */
  readonly pauseAt?: number;
  /** @default at random times */
  readonly requests?: readonly SceneRequest[];
}

export interface SceneRequest {
  /** Of its client. */
  readonly ip: string;
  readonly priority: Priority;
  readonly arrival: number;
  /** Its place among the phases. */
  readonly phase: number;
}

/** What a process reports. */
export interface Witness {
  arrived(request: SceneRequest): void;
  /** It was answered within a second. */
  served(request: SceneRequest): void;
  refused(request: SceneRequest): void;
  /** Of the shedder, whenever the loop begins a turn. */
  level(time: number, level: number): void;
}

/** Clients give up after as many milliseconds. */
const PATIENCE = 1_000;
/** Milliseconds that Node takes to refuse a request: `npm run overload -- --refusals`. */
export const REFUSAL = 0.05;
const PAUSE = 300;
/** Requests that a loop takes in one turn. */
const TURN = 1_024;
/** When the scene begins: clients have the same cohorts in each run. */
const START = Date.UTC(2030, 0, 1);

/**
 * A process with one event loop, whose clients do not wait for each other. The shedder is that of the library, on the time of
 * this loop.
 *
 * @throws ConfigError of core
 */
export function runProcess(scene: Scene, witness: Witness): void {
  const { work, database, pauseAt = Infinity } = scene;
  const next = randomOf(scene.seed);
  const loop = new EventLoop(START);
  const shed = shedder<SceneRequest>(
    { ...scene.shed, key: ({ ip }) => ip, priority: ({ priority }) => priority },
    loop,
  );
  const ready: { request: SceneRequest; at: number }[] = [];
  const queue: { request: SceneRequest; isNew: boolean }[] = [];
  const arrivals = (scene.requests ?? arrivalsOf(scene, next))[Symbol.iterator]();
  let arriving = arrivals.next().value;
  let isPaused = false;

  const take = () => {
    for (; arriving !== undefined && arriving.arrival <= loop.time; arriving = arrivals.next().value) {
      witness.arrived(arriving);
      queue.push({ request: arriving, isNew: true });
    }
    while (ready.length > 0 && ready[0]!.at <= loop.time) queue.push({ request: ready.shift()!.request, isNew: false });
  };
  const serve = (request: SceneRequest) => {
    loop.work(work * (0.8 + 0.4 * next()));
    if (loop.time - request.arrival <= PATIENCE) witness.served(request);
  };
  const enter = (request: SceneRequest) => {
    if (shed['sluice.shed.1']({ request, captureAddress() {} }) !== undefined) {
      loop.work(REFUSAL);
      witness.refused(request);
    } else if (database === 0) serve(request);
    else ready.push({ request, at: loop.time + database });
  };

  const end = scene.phases.reduce((sum, { lasts }) => sum + lasts, 0);
  while (loop.time < end) {
    loop.tickIfDue();
    witness.level(loop.time, shed.level);
    take();
    if (!isPaused && loop.time >= pauseAt) {
      isPaused = true;
      loop.work(PAUSE);
    }
    if (queue.length === 0) {
      loop.sleepUntil(Math.min(arriving?.arrival ?? Infinity, ready[0]?.at ?? Infinity));
      continue;
    }
    for (const { request, isNew } of queue.splice(0, TURN)) {
      if (isNew) enter(request);
      else serve(request);
    }
  }
  // The loop has not seen them.
  for (; arriving !== undefined; arriving = arrivals.next().value) witness.arrived(arriving);
}

/** At random times. */
function* arrivalsOf(
  { phases, critical, normal, work, clients }: Scene,
  next: () => number,
): Generator<SceneRequest, undefined> {
  let [arrival, begin] = [0, 0];
  for (const [phase, { times, lasts }] of phases.entries()) {
    // In calm time each kind has a third.
    const [first, second] = [Math.min(critical, times / 3), Math.min(normal, times / 3)];
    while (arrival < begin + lasts) {
      const kind = next() * times;
      const priority: Priority = kind < first ? 'critical' : kind < first + second ? 'normal' : 'sheddable';
      yield { ip: `client ${Math.floor(next() * clients)}`, priority, arrival, phase };
      arrival -= (Math.log(1 - next()) * work) / times;
    }
    begin += lasts;
  }
  return undefined;
}
