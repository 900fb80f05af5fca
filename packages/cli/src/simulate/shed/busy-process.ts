import { shedder, type Priority, type ShedderOptions } from '@sluice/core/shed';
import { randomOf } from '../random.js';
import { EventLoop } from './event-loop.js';
import { Sockets, type SocketOptions } from './sockets.js';

/** A time with a load. */
export interface Phase {
  /** Requests that arrive, as a part of those that the process can serve. Above 0. */
  readonly times: number;
  /** Milliseconds. */
  readonly lasts: number;
}

/** A process and its load, in milliseconds of its own time. */
export interface Scene extends SocketOptions {
  /** One after the other. */
  readonly phases: readonly Phase[];
  /** Work of a request. */
  readonly work: number;
  /** The parts of the capacity that critical requests take, and normal ones. The others are sheddable. */
  readonly critical: number;
  readonly normal: number;
  /** How long a request waits for a database before its work. 0: it works when it comes. */
  readonly database: number;
  readonly seed: number;
  readonly shed: Pick<ShedderOptions<never>, 'target' | 'mode'>;
  /** When a timer of the process stops it, and for how long: requests that come meanwhile are read before the next tick. @default never */
  readonly pause?: { readonly at: number; readonly lasts: number };
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
/** Milliseconds that Node takes to refuse a request, and to accept a connection: `npm run overload`. */
export const REFUSAL = 0.1;
export const ACCEPT = 0.03;
/** When the scene begins: clients have the same cohorts in each run. */
const START = Date.UTC(2030, 0, 1);

/**
 * Runs a process with one event loop, whose clients do not wait for each other. The shedder is that of the library, on the time
 * of this loop.
 *
 * @throws ConfigError of core
 */
export async function runProcess(scene: Scene, witness: Witness): Promise<void> {
  const process = new BusyProcess(scene, witness);
  const end = scene.phases.reduce((sum, { lasts }) => sum + lasts, 0);
  while (process.time < end) await process.turn();
  process.end();
}

/** A request that has waited for its database. */
interface Ready {
  readonly request: SceneRequest;
  readonly at: number;
}

class BusyProcess {
  readonly #scene: Scene;
  readonly #witness: Witness;
  readonly #next: () => number;
  readonly #loop = new EventLoop(START);
  readonly #shed;
  readonly #sockets: Sockets<SceneRequest>;
  readonly #arrivals: Iterator<SceneRequest>;
  #arriving: SceneRequest | undefined;
  readonly #ready: Ready[] = [];
  #isPaused = false;

  constructor(scene: Scene, witness: Witness) {
    this.#scene = scene;
    this.#witness = witness;
    this.#next = randomOf(scene.seed);
    this.#sockets = new Sockets(scene);
    this.#shed = shedder<SceneRequest>(
      { ...scene.shed, key: ({ ip }) => ip, priority: ({ priority }) => priority },
      this.#loop,
    );
    this.#arrivals = (scene.requests ?? arrivalsOf(scene, this.#next))[Symbol.iterator]();
    this.#arriving = this.#arrivals.next().value;
  }

  get time(): number {
    return this.#loop.time;
  }

  /** One turn of the loop. */
  async turn(): Promise<void> {
    const loop = this.#loop;
    loop.tickIfDue();
    this.#witness.level(loop.time, this.#shed.level);
    this.#pauseIfDue();
    this.#arrive();
    const ready = this.#takeReady();
    if (this.#sockets.isQuiet && ready.length === 0) {
      loop.sleepUntil(Math.min(this.#arriving?.arrival ?? Infinity, this.#ready[0]?.at ?? Infinity));
      return;
    }
    const { accepted, requests } = this.#sockets.turn();
    loop.work(ACCEPT * accepted);
    for (const request of requests) this.#enter(request);
    for (const request of ready) this.#serve(request);
  }

  /** Those that the loop has not seen. */
  end(): void {
    for (; this.#arriving !== undefined; this.#arriving = this.#arrivals.next().value) {
      this.#witness.arrived(this.#arriving);
    }
  }

  #arrive(): void {
    for (; this.#arriving !== undefined && this.#arriving.arrival <= this.time;) {
      this.#witness.arrived(this.#arriving);
      this.#sockets.arrive(this.#arriving);
      this.#arriving = this.#arrivals.next().value;
    }
  }

  #pauseIfDue(): void {
    const { pause } = this.#scene;
    if (this.#isPaused || pause === undefined || this.time < pause.at) return;
    this.#isPaused = true;
    this.#loop.work(pause.lasts);
  }

  #takeReady(): readonly SceneRequest[] {
    const waiting = this.#ready.findIndex(({ at }) => at > this.time);
    return this.#ready.splice(0, waiting < 0 ? Infinity : waiting).map(({ request }) => request);
  }

  #enter(request: SceneRequest): void {
    const refusal = this.#shed['sluice.shed.1']({ request, captureAddress() {} });
    if (refusal !== undefined) {
      this.#loop.work(REFUSAL);
      this.#witness.refused(request);
      this.#answer(request);
    } else if (this.#scene.database === 0) this.#serve(request);
    else this.#ready.push({ request, at: this.time + this.#scene.database });
  }

  #serve(request: SceneRequest): void {
    this.#loop.work(this.#scene.work * (0.8 + 0.4 * this.#next()));
    if (this.#answer(request)) this.#witness.served(request);
  }

  /** @returns whether its client has waited */
  #answer({ arrival }: SceneRequest): boolean {
    if (this.time - arrival > PATIENCE) return false;
    this.#sockets.answered();
    return true;
  }
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
    // The time until the next one does not depend on how long none has come.
    arrival = begin;
  }
  return undefined;
}
