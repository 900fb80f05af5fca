import { queueDelay, type QueueDelay, type QueueOptions } from '@sluice/overload/queues';
import { usage } from '../../failure/failure.js';
import { arrivalsOf, type Scene, type SceneKind, type SceneRequest, type Witness } from './scene.js';
import { randomOf } from '../random/random.js';

/** Clients give up after as many milliseconds. */
const PATIENCE = 1_000;
/** Milliseconds between two ticks of the queue. */
const TICK = 10;

/** What is due at a millisecond. */
type Act = () => void;

/** Connections that requests need for their work. */
export const pool: SceneKind = {
  word: 'pool',
  read(text) {
    const connections = Number(text);
    if (!Number.isInteger(connections) || connections < 1 || connections > 10_000)
      throw usage(`--shed: pool must be the connections of a pool, from 1 to 10000, such as pool=10, got ${text}`);
    return (scene, witness) => runPool(scene, connections, witness);
  },
};

/**
 * Runs a process whose requests wait for the connections of a pool, in steps of a millisecond. The queue is that of the library, on
 * this time. Without it, in the mode `off`, requests wait in the pool, and a client that has left takes a connection all the same.
 *
 * @throws ConfigError of core
 */
async function runPool(scene: Scene, connections: number, witness: Witness): Promise<void> {
  const process = new PoolProcess(scene, connections, witness);
  const end = scene.phases.reduce((sum, { lasts }) => sum + lasts, 0);
  while (process.time < end) await process.step();
}

class PoolProcess {
  readonly #witness: Witness;
  readonly #queue: QueueDelay;
  readonly #arrivals: Iterator<SceneRequest, undefined>;
  #arriving: SceneRequest | undefined;
  readonly #agenda = new Map<number, Act[]>();
  /** What a query takes. */
  readonly #query: number;
  /** Connections without a query, and queries without a connection. */
  #idle: number;
  readonly #waiting: Act[] = [];
  #tick: ((now: number) => void) | undefined;
  time = 0;

  constructor(scene: Scene, connections: number, witness: Witness) {
    const { work, shed, seed } = scene;
    this.#witness = witness;
    this.#query = work * connections;
    this.#idle = connections;
    this.#queue = queueDelay(
      'pool',
      { ...(shed as QueueOptions), max: connections },
      {
        now: () => this.time,
        late: () => 0,
        date: () => this.time,
        door: { isQueued: false, hold() {} },
        listen: (listener) => {
          this.#tick = (now) => listener(now, 0, () => 0);
          return () => {};
        },
      },
    );
    this.#arrivals = (scene.requests ?? arrivalsOf(scene, randomOf(seed)))[Symbol.iterator]();
    this.#arriving = this.#arrivals.next().value;
  }

  async step(): Promise<void> {
    const acts = this.#agenda.get(this.time) ?? [];
    this.#agenda.delete(this.time);
    for (const act of acts) act();
    for (; this.#arriving !== undefined && this.#arriving.arrival <= this.time;) {
      this.#witness.arrived(this.#arriving);
      void this.#serve(this.#arriving);
      this.#arriving = this.#arrivals.next().value;
    }
    if (this.time % TICK === 0) this.#tick?.(this.time);
    this.#witness.level(this.time, this.#queue.level);
    // What the queue and the pool have promised.
    await new Promise((resolve) => void setImmediate(resolve));
    this.time += 1;
  }

  async #serve(request: SceneRequest): Promise<void> {
    const leaving = new AbortController();
    this.#at(this.time + PATIENCE, () => leaving.abort());
    try {
      await this.#queue.wait(() => this.#work(), { priority: request.priority, signal: leaving.signal });
    } catch {
      if (!leaving.signal.aborted) this.#witness.refused(request);
      return;
    }
    const waited = this.time - request.arrival;
    if (waited <= PATIENCE) this.#witness.served(request, waited);
  }

  /** A query, when a connection has none. */
  #work(): Promise<void> {
    return new Promise((resolve) => {
      const begin = () => {
        this.#idle -= 1;
        this.#at(this.time + Math.max(1, Math.round(this.#query)), () => {
          this.#idle += 1;
          resolve();
          this.#waiting.shift()?.();
        });
      };
      if (this.#idle > 0) begin();
      else this.#waiting.push(begin);
    });
  }

  #at(time: number, act: Act): void {
    const acts = this.#agenda.get(time);
    if (acts === undefined) this.#agenda.set(time, [act]);
    else acts.push(act);
  }
}
