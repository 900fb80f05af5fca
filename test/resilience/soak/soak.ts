import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { createLimiter, type Decision, type PolicyOptions, type Store } from '../../../packages/core/src/index.js';
import { redisStore, type RedisOptions } from '../../../packages/redis/src/index.js';
import type { GuidedClient } from '../../support/guided-clients.js';
import { wireTo } from '../../support/wire.js';
import { startRedis } from '../../support/redis.js';
import { Random } from '../../properties/twin/random.js';
import { DEADLINE_MS } from '../faults/run-fault.js';
import { Journal } from '../traffic/journal.js';
import { hitsOn, limitersOn } from '../traffic/limiters.js';
import { firstPong } from '../faults/pong.js';
import { openResources, usedHeap, type Sample } from './samples.js';
import { soakFaults, type SoakFault, type SoakScene } from './faults.js';
import { Traffic, type DecidedBy, type Limited, type Subject } from '../traffic/traffic.js';

export interface SoakOptions {
  /** Milliseconds after which no further fault starts. */
  readonly lasts: number;
  /** Determines the faults and their duration. */
  readonly seed: number;
  /** @default all */
  readonly faults?: readonly SoakFault[];
  /** Makes a client of the caller, which the soak test closes. @default the store makes its own */
  readonly client?: ((connection: RedisOptions) => GuidedClient) | undefined;
  /** Called after each fault. */
  readonly onBout?: (bout: Bout) => void;
}

/** One fault under traffic, and what it left. Times are in milliseconds. */
export interface Bout {
  readonly fault: SoakFault;
  readonly lasted: number;
  readonly longest: number;
  readonly lag: number;
  readonly decidedBy: Readonly<Record<DecidedBy, number>>;
  readonly rejections: readonly unknown[];
  /** Decisions that contradict themselves. */
  readonly dishonest: readonly Decision[];
  readonly recovery: number;
  /** Admitted and counted by Redis in this bout, by limiters whose counters last for the whole soak test. */
  readonly admitted: number;
  readonly counted: number;
  /** Requests without a reply. Redis may have counted each once. */
  readonly unsure: number;
  /** Counted after the last request. */
  readonly ghosts: number;
  /** After the fault, without requests. */
  readonly sample: Sample;
}

export interface SoakReport {
  /** Before the first fault, after some traffic. */
  readonly before: Sample;
  readonly bouts: readonly Bout[];
}

/** Traffic before and after a fault. */
const CALM_MS = 200;
/** The duration of a fault. */
const MIN_FAULT_MS = 100;
const MAX_FAULT_MS = 2_500;
/** The end of a fault must be seen within this time. */
const MAX_RECOVERY_MS = 15_000;

/** Identities that appear once in a bout: their keys must expire. */
const NEW_IDENTITIES = { callers: 1, subjects: Infinity, pace: 6 };

const POLICIES: readonly PolicyOptions[] = [
  { algorithm: 'fixed-window', limit: 1_000, window: 500 },
  { algorithm: 'sliding-window', limit: 1_000, window: 250 },
  { algorithm: 'sliding-window-log', limit: 1_000, window: 500 },
  { algorithm: 'token-bucket', limit: 1_000, window: 500 },
  { algorithm: 'leaky-bucket', limit: 1_000, window: 500, queue: 99 },
  {
    algorithm: 'multi-window',
    windows: [
      { limit: 1_000, window: 250 },
      { limit: 500, window: 50 },
    ],
  },
];

/** Runs random faults of a server, one after the other, under traffic of one store. */
export async function soak({ lasts, seed, faults = soakFaults, client, onBout }: SoakOptions): Promise<SoakReport> {
  const random = new Random(seed);
  const server = await startRedis({ args: ['--busy-reply-threshold', '20'] });
  const wire = await wireTo(server);
  const callers = client?.({ url: wire.url });
  const store = redisStore(callers ?? { url: wire.url }, { deadline: DEADLINE_MS });
  const arena = new Arena({ server, wire }, store);
  try {
    const before = await arena.begin();
    const bouts: Bout[] = [];
    do {
      const bout = await arena.bout(random.pick(faults), random.integer(MIN_FAULT_MS, MAX_FAULT_MS), before);
      bouts.push(bout);
      onBout?.(bout);
    } while (arena.elapsed < lasts);
    return { before, bouts };
  } finally {
    await store.close();
    callers?.disconnect();
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
    this.#passing = POLICIES.map((policy, index) => ({
      onStoreFailure: 'local',
      limiter: createLimiter<Subject>({
        store,
        tiers: [{ name: `soak-${index}`, key: ({ id }) => id, ...policy }],
      }),
    }));
  }

  /** Milliseconds since the start. */
  get elapsed(): number {
    return performance.now() - this.#begun;
  }

  /** A sample after every limiter was used. */
  async begin(): Promise<Sample> {
    const traffics = this.#startTraffic();
    await Promise.all(traffics.map((traffic) => traffic.next('redis')));
    await delay(CALM_MS);
    await Promise.all(traffics.map((traffic) => traffic.stop()));
    await this.#until(async () => (await this.#keys('rl:*:soak-*')) === 0);
    return this.#sample();
  }

  async bout(fault: SoakFault, lasted: number, before: Sample): Promise<Bout> {
    const { server } = this.#scene;
    const journal = new Journal();
    const counted = await hitsOn([server.port]);
    const traffics = this.#startTraffic();
    const [lasting] = traffics as [Traffic];
    await delay(CALM_MS);
    await fault.strike(this.#scene);
    await delay(lasted);
    const recovery = await this.#recover(fault, lasting);
    await delay(CALM_MS);
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

  #startTraffic(): Traffic[] {
    return [new Traffic(this.#lasting, { callers: 2 }), new Traffic(this.#passing, NEW_IDENTITIES)];
  }

  async #recover(fault: SoakFault, traffic: Traffic): Promise<number> {
    const pong = firstPong(this.#scene.wire.port);
    await fault.heal(this.#scene);
    const answered = await pong;
    const recovered = await Promise.race([traffic.next('redis'), delay(MAX_RECOVERY_MS, Infinity, { ref: false })]);
    return Math.max(0, recovered - answered);
  }

  /** Waits until a bout has left nothing. What stays appears in the sample. */
  async #settle(before: Sample): Promise<void> {
    await this.#until(async () => (await this.#keys('*')) <= before.keys);
    await this.#until(() => {
      const { timers, handles } = openResources();
      return Promise.resolve(timers <= before.timers && handles <= before.handles);
    });
  }

  async #until(holds: () => Promise<boolean>): Promise<void> {
    const end = performance.now() + MAX_RECOVERY_MS / 3;
    while (performance.now() < end && !(await holds())) await new Promise((resolve) => setTimeout(resolve, 20).unref());
  }

  async #sample(): Promise<Sample> {
    const keys = await this.#keys('*');
    return { at: this.elapsed, heap: usedHeap(), keys, ...openResources() };
  }

  async #keys(pattern: string): Promise<number> {
    const client = new Redis(this.#scene.server.path);
    const keys = await client.keys(pattern);
    // `disconnect` would leave a timer of 2 s, which hides one of the store.
    await client.quit();
    return keys.length;
  }
}
