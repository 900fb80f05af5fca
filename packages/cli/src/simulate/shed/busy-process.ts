import { shedder } from '@sluice/overload';
import { randomOf } from '../random/random.js';
import { EventLoop, type Held } from './event-loop.js';
import { arrivalsOf, type Scene, type SceneRequest, type Witness } from './scene.js';
import { Sockets } from './sockets.js';

/** Clients give up after as many milliseconds. */
const PATIENCE = 1_000;
/** Milliseconds that Node takes to refuse a request, and to accept a connection: `npm run tool -- overload`. */
export const REFUSAL = 0.07;
export const ACCEPT = 0.03;
/** When the scene begins, and a limiter without a secret of its own: clients have the same cohorts in each run. */
const START = Date.UTC(2030, 0, 1);
const OPEN = { digester: () => (text: string) => text };

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
  readonly #loop = new EventLoop(START, (held) => this.#watchHeld(held));
  readonly #shed;
  readonly #sockets: Sockets<SceneRequest>;
  readonly #arrivals: Iterator<SceneRequest>;
  #arriving: SceneRequest | undefined;
  readonly #ready: Ready[] = [];
  #isPaused = false;
  /** The request that enters. */
  #entering: SceneRequest | undefined;
  /** Held requests that were released, and that have not been worked on. */
  #released = 0;

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
    if (this.#sockets.isQuiet && ready.length === 0 && loop.maySleep) {
      loop.sleepUntil(Math.min(this.#arriving?.arrival ?? Infinity, this.#ready[0]?.at ?? Infinity));
      return;
    }
    const { accepted, requests } = this.#sockets.turn();
    loop.accept(accepted);
    loop.work(ACCEPT * accepted);
    for (const request of requests) this.#enter(request);
    for (const request of ready) this.#serve(request);
    await loop.endTurn(() => this.#settled());
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
    this.#entering = request;
    const refusal = this.#shed['sluice.shed.1']({ request, limiter: OPEN, captureAddress() {} });
    if (!(refusal instanceof Promise)) this.#follow(request, refusal !== undefined);
    else {
      void refusal.then((settled) => {
        this.#released -= 1;
        // A gate does nothing for a client that has left while its request was held.
        if (!this.#hasLeft(request)) this.#follow(request, settled !== undefined);
      });
    }
  }

  #watchHeld(held: Held): Held {
    const request = this.#entering!;
    const release = (isThere: boolean) => {
      this.#released += 1;
      held.release(isThere);
    };
    return { priority: held.priority, hasLeft: () => this.#hasLeft(request), release };
  }

  async #settled(): Promise<void> {
    while (this.#released > 0) await undefined;
  }

  #hasLeft({ arrival }: SceneRequest): boolean {
    return this.time - arrival > PATIENCE;
  }

  #follow(request: SceneRequest, isRefused: boolean): void {
    if (isRefused) {
      this.#loop.work(REFUSAL);
      this.#witness.refused(request);
      this.#answer(request);
    } else if (this.#scene.database === 0) this.#serve(request);
    else this.#ready.push({ request, at: this.time + this.#scene.database });
  }

  #serve(request: SceneRequest): void {
    this.#loop.work(this.#scene.work * (0.8 + 0.4 * this.#next()));
    if (this.#answer(request)) this.#witness.served(request, this.time - request.arrival);
  }

  /** @returns whether its client has waited */
  #answer(request: SceneRequest): boolean {
    if (this.#hasLeft(request)) return false;
    this.#sockets.answered();
    return true;
  }
}
