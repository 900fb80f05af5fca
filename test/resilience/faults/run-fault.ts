import { setTimeout as delay } from 'node:timers/promises';
import { redisStore, type RedisClient, type RedisOptions } from '../../../packages/redis/src/index.js';
import type { Fault, Scene } from './fault.js';
import { Journal } from '../traffic/journal.js';
import { hitsOn, limitersOn } from '../traffic/limiters.js';
import { Traffic, type DecidedBy } from '../traffic/traffic.js';

export interface FaultRunOptions {
  /** Milliseconds of the fault at most. @default those of the fault */
  readonly atMost?: number;
  /** Makes a client of the caller, which the run closes. @default the store makes its own */
  readonly client?: (connection: RedisOptions) => RedisClient & { disconnect(): void };
  /** That client has the settings of the guide: it sends nothing twice, and reconnects as soon as the store's own. */
  readonly isGuided?: boolean;
}

/** The effect of a fault on the traffic of a store. Times are in milliseconds. */
export interface FaultRow {
  readonly fault: Fault;
  /** The store has made its client. */
  readonly ownClient: boolean;
  /** Held to the counts of the store's own client. */
  readonly countsOnce: boolean;
  readonly longest: number;
  readonly lag: number;
  readonly decidedBy: Readonly<Record<DecidedBy, number>>;
  readonly rejections: readonly unknown[];
  readonly dishonest: readonly unknown[];
  /** Admitted by Redis, as far as its counters can show it. */
  readonly admitted: number;
  readonly onRedis: number;
  /** Requests without a reply. Redis may have counted each once. */
  readonly unsure: number;
  /** Counted after the last request. */
  readonly ghosts: number;
  /** From the first PONG to the first decision by Redis; `Infinity` without one. */
  readonly recovery: number;
  readonly openings: number;
  /** Openings of the breaker for another reason than a slow Redis, which a busy machine causes as well. */
  readonly openingsByError: number;
  /** Requests that were decided without Redis for another reason than a slow Redis. */
  readonly degraded: number;
  readonly lateReplies: number;
  readonly configFaults: number;
  readonly leaks: readonly string[];
}

/** The deadline of every store. */
export const DEADLINE_MS = 50;

/** Traffic before and after a fault. */
const CALM_MS = 250;
/** The limiters must see the end of a fault within this time. Clients of the caller reconnect at their own pace. */
const MAX_RECOVERY_MS = { own: 15_000, others: 2_000 };

/** Runs a fault under steady traffic of limiters with every `onStoreFailure`. */
export async function runFault(
  fault: Fault,
  { atMost = Infinity, client, isGuided = false }: FaultRunOptions = {},
): Promise<FaultRow> {
  const scene = await fault.set();
  const callers = client?.(scene.connection);
  const countsOnce = callers === undefined || isGuided;
  const store = redisStore(callers ?? scene.connection, { deadline: DEADLINE_MS, connectDeadline: DEADLINE_MS });
  const run: Run = { fault, scene, journal: new Journal(), traffic: new Traffic(limitersOn(store)) };
  try {
    await delay(CALM_MS);
    await scene.strike();
    await delay(Math.min(fault.lasts ?? 2_000, atMost));
    await struck(run);
    const before = fault.expects?.beginsEmpty === true ? sentIn(run) : NOTHING;
    const recovery = await recover(run, countsOnce ? MAX_RECOVERY_MS.own : MAX_RECOVERY_MS.others);
    await delay(CALM_MS);
    await run.traffic.stop();
    return {
      ...seenBy(run),
      ...(await countedSince(before, run)),
      recovery,
      ownClient: callers === undefined,
      countsOnce,
    };
  } finally {
    await run.traffic.stop();
    run.journal.stop();
    await store.close();
    callers?.disconnect();
    await scene.stop();
  }
}

interface Run {
  readonly fault: Fault;
  readonly scene: Scene;
  readonly journal: Journal;
  readonly traffic: Traffic;
}

type Seen = Omit<FaultRow, 'ownClient' | 'countsOnce' | 'recovery' | 'admitted' | 'unsure' | 'onRedis' | 'ghosts'>;

function seenBy({ fault, traffic, journal }: Run): Seen {
  return {
    fault,
    longest: traffic.longest,
    lag: traffic.lag,
    decidedBy: traffic.decidedBy,
    rejections: traffic.rejections,
    dishonest: traffic.dishonest,
    openings: journal.openings,
    openingsByError: journal.openingsByError,
    degraded: journal.degraded,
    lateReplies: journal.lateReplies,
    configFaults: journal.configFaults.length,
    leaks: journal.leaks,
  };
}

/** Requests that Redis has counted, and those that it may have counted. */
type Sent = Pick<FaultRow, 'admitted' | 'unsure'>;

const NOTHING: Sent = { admitted: 0, unsure: 0 };

function sentIn({ traffic, journal }: Run): Sent {
  return { admitted: traffic.admitted, unsure: journal.unsure };
}

async function countedSince(before: Sent, run: Run): Promise<Sent & Pick<FaultRow, 'onRedis' | 'ghosts'>> {
  const ports = await run.scene.ports();
  const onRedis = await hitsOn(ports);
  await delay(CALM_MS);
  const { admitted, unsure } = sentIn(run);
  const ghosts = (await hitsOn(ports)) - onRedis;
  return { admitted: admitted - before.admitted, unsure: unsure - before.unsure, onRedis, ghosts };
}

/** Resolves when a fault shows its effects. A busy machine can need longer. */
async function struck({ fault, traffic, journal }: Run): Promise<void> {
  const { degrades = true, breaker } = fault.expects ?? {};
  const { decidedBy } = traffic;
  const until = performance.now() + MAX_RECOVERY_MS.own;
  const isOver = () =>
    (!degrades || [decidedBy.local, decidedBy.allow, decidedBy.deny].every((count) => count > 0)) &&
    (breaker !== 'opens' || journal.openings > 0);
  while (!isOver() && performance.now() < until) await delay(10);
}

async function recover({ fault, scene, traffic }: Run, patience: number): Promise<number> {
  if (fault.expects?.heals === false) return Infinity;
  const pong = scene.pong();
  await scene.heal();
  const answered = await pong;
  const recovered = await Promise.race([traffic.next('redis'), delay(patience, Infinity, { ref: false })]);
  return recovered - answered;
}
