import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import {
  createLimiter,
  redisStore,
  type Decision,
  type PolicyOptions,
  type Store,
} from '../../packages/core/src/index.js';
import { wireTo } from '../support/wire.js';
import { startRedis } from '../support/redis.js';
import { Random } from '../properties/twin/random.js';
import { DEADLINE } from './fault-run.js';
import { Journal } from './journal.js';
import { hitsOn } from './ledger.js';
import { limitersOn } from './limiters.js';
import { firstPong } from './pong.js';
import { openResources, usedHeap, type Sample } from './soak-sample.js';
import { soakFaults, type SoakFault, type SoakScene } from './soak-faults.js';
import { Traffic, type DecidedBy, type Limited, type Subject } from './traffic.js';

export interface SoakOptions {
  /** Milliseconds after which no fault begins any more. */
  readonly lasts: number;
  /** What decides which faults come, and how long they last. */
  readonly seed: number;
  /** @default all that there are */
  readonly faults?: readonly SoakFault[];
  /** Called after each fault. */
  readonly onBout?: (bout: Bout) => void;
}

/** One fault under traffic, and what was left when it was over. Times are in milliseconds. */
export interface Bout {
  readonly fault: SoakFault;
  readonly lasted: number;
  readonly longest: number;
  readonly lag: number;
  readonly decidedBy: Readonly<Record<DecidedBy, number>>;
  readonly rejections: readonly unknown[];
  /** Decisions that are not what they say. */
  readonly dishonest: readonly Decision[];
  readonly recovery: number;
  /** Admitted by Redis in this bout, and what it has counted; both by limiters whose counters last for the whole soak. */
  readonly admitted: number;
  readonly counted: number;
  /** Requests that were sent and had no answer, each of which Redis may have counted once. */
  readonly unsure: number;
  /** Counted when nobody asked any more. */
  readonly ghosts: number;
  /** When all is healed and nobody asks. */
  readonly sample: Sample;
}

export interface SoakReport {
  /** Before the first fault, after traffic without any. */
  readonly before: Sample;
  readonly bouts: readonly Bout[];
}

/** Milliseconds of traffic before a fault and after it. */
const CALM = 200;
/** Milliseconds that a fault lasts at least and at most. */
const SHORTEST = 100;
const LONGEST = 2_500;
/** Milliseconds until what has not ended by itself is taken for something that does not. */
const PATIENCE = 15_000;

/** Identities that come once in a bout: what is kept of them has to go. */
const EVER_NEW = { callers: 1, subjects: Infinity, pace: 6 };

const POLICIES: readonly PolicyOptions[] = [
  { algorithm: 'fixed-window', limit: 1_000, window: 500 },
  { algorithm: 'sliding-window', limit: 1_000, window: 250 },
  { algorithm: 'sliding-window-log', limit: 1_000, window: 500 },
  { algorithm: 'token-bucket', limit: 1_000, window: 500 },
  { algorithm: 'leaky-bucket', limit: 1_000, window: 500 },
  {
    algorithm: 'multi-window',
    windows: [
      { limit: 1_000, window: 250 },
      { limit: 500, window: 50 },
    ],
  },
];

/** Has one fault after the other strike the server of one store, which is under traffic, for as long as it shall last. */
export async function soak({ lasts, seed, faults = soakFaults, onBout }: SoakOptions): Promise<SoakReport> {
  const random = new Random(seed);
  const server = await startRedis({ args: ['--busy-reply-threshold', '20'] });
  const wire = await wireTo(server);
  const store = redisStore({ url: wire.url }, { deadline: DEADLINE });
  const arena = new Arena({ server, wire }, store);
  try {
    const before = await arena.begin();
    const bouts: Bout[] = [];
    do {
      const bout = await arena.bout(random.pick(faults), random.integer(SHORTEST, LONGEST), before);
      bouts.push(bout);
      onBout?.(bout);
    } while (arena.elapsed < lasts);
    return { before, bouts };
  } finally {
    await store.close();
    await wire.close();
    await server.stop();
  }
}

/** One store and its server, for many faults. */
class Arena {
  readonly #scene: SoakScene;
  readonly #lasting: readonly Limited[];
  readonly #passing: readonly Limited[];
  readonly #begun = performance.now();

  constructor(scene: SoakScene, store: Store) {
    this.#scene = scene;
    this.#lasting = limitersOn(store);
    this.#passing = POLICIES.map((policy) => ({
      onStoreFailure: 'local',
      limiter: createLimiter<Subject>({
        store,
        tiers: [{ name: `soak-${policy.algorithm}`, key: ({ id }) => id, ...policy }],
      }),
    }));
  }

  /** Milliseconds so far. */
  get elapsed(): number {
    return performance.now() - this.#begun;
  }

  /** What is there after everything was used once. */
  async begin(): Promise<Sample> {
    const traffics = this.#ask();
    await Promise.all(traffics.map((traffic) => traffic.next('redis')));
    await delay(CALM);
    await Promise.all(traffics.map((traffic) => traffic.stop()));
    await this.#until(async () => (await this.#keys('rl:*:soak-*')) === 0);
    return this.#sample();
  }

  async bout(fault: SoakFault, lasted: number, before: Sample): Promise<Bout> {
    const { server } = this.#scene;
    const journal = new Journal();
    const counted = await hitsOn([server.port]);
    const traffics = this.#ask();
    const [lasting] = traffics as [Traffic];
    await delay(CALM);
    await fault.strike(this.#scene);
    await delay(lasted);
    const recovery = await this.#recover(fault, lasting);
    await delay(CALM);
    await Promise.all(traffics.map((traffic) => traffic.stop()));
    const countedThen = await hitsOn([server.port]);
    await this.#settle(before);
    journal.stop();
    return {
      fault,
      lasted,
      longest: Math.max(...traffics.map(({ longest }) => longest)),
      lag: Math.max(...traffics.map(({ lag }) => lag)),
      decidedBy: lasting.decidedBy,
      rejections: traffics.flatMap(({ rejections }) => rejections),
      dishonest: traffics.flatMap(({ dishonest }) => dishonest),
      recovery,
      admitted: lasting.admitted,
      counted: countedThen - (fault.forgets ? 0 : counted),
      unsure: journal.unsure,
      ghosts: (await hitsOn([server.port])) - countedThen,
      sample: await this.#sample(),
    };
  }

  #ask(): Traffic[] {
    return [new Traffic(this.#lasting, { callers: 2 }), new Traffic(this.#passing, EVER_NEW)];
  }

  async #recover(fault: SoakFault, traffic: Traffic): Promise<number> {
    const pong = firstPong(this.#scene.wire.port);
    await fault.heal(this.#scene);
    const answered = await pong;
    const recovered = await Promise.race([traffic.next('redis'), delay(PATIENCE, Infinity, { ref: false })]);
    return Math.max(0, recovered - answered);
  }

  /** Waits until nothing is left of a bout but what was there before the first; what does not go is in the sample. */
  async #settle(before: Sample): Promise<void> {
    await this.#until(async () => (await this.#keys('*')) <= before.keys);
    await this.#until(() => {
      const { timers, handles } = openResources();
      return Promise.resolve(timers <= before.timers && handles <= before.handles);
    });
  }

  async #until(holds: () => Promise<boolean>): Promise<void> {
    const end = performance.now() + PATIENCE / 3;
    while (performance.now() < end && !(await holds())) await new Promise((resolve) => setTimeout(resolve, 20).unref());
  }

  async #sample(): Promise<Sample> {
    const keys = await this.#keys('*');
    return { at: this.elapsed, heap: usedHeap(), keys, ...openResources() };
  }

  async #keys(pattern: string): Promise<number> {
    const client = new Redis(this.#scene.server.path);
    const keys = await client.keys(pattern);
    client.disconnect();
    return keys.length;
  }
}
