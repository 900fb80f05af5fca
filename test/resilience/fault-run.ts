import { setTimeout as delay } from 'node:timers/promises';
import { redisStore, type RedisClient, type RedisOptions } from '../../packages/core/src/index.js';
import type { Fault, Scene } from './fault.js';
import { Journal } from './journal.js';
import { hitsOn } from './ledger.js';
import { limitersOn } from './limiters.js';
import { Traffic, type DecidedBy } from './traffic.js';

export interface FaultRunOptions {
  /** Milliseconds that it lasts at most. @default as long as the fault says */
  readonly atMost?: number;
  /** Makes a caller's client, which is closed in the end. @default the store makes its own */
  readonly client?: (connection: RedisOptions) => RedisClient & { disconnect(): void };
}

/** What a fault has done to the traffic on a store. Times are in milliseconds. */
export interface FaultRow {
  readonly fault: Fault;
  /** The store has made its client itself. */
  readonly ownClient: boolean;
  readonly longest: number;
  readonly lag: number;
  readonly decidedBy: Readonly<Record<DecidedBy, number>>;
  readonly rejections: readonly unknown[];
  readonly dishonest: readonly unknown[];
  /** Admitted by Redis, as far as it can be counted in the end. */
  readonly admitted: number;
  readonly onRedis: number;
  /** Requests that were sent and had no answer, each of which Redis may have counted once. */
  readonly unsure: number;
  /** Counted when nobody asked any more. */
  readonly ghosts: number;
  /** From the first PONG to the first decision by Redis; `Infinity` where there was none. */
  readonly recovery: number;
  readonly openings: number;
  /** Of those, how many were not because Redis was too slow, as everybody is on a machine that is busy. */
  readonly openingsByError: number;
  /** Requests that were decided without Redis, and not because it was too slow. */
  readonly degraded: number;
  readonly lateReplies: number;
  readonly configFaults: number;
  readonly leaks: readonly string[];
}

/** What every store waits for Redis at most here, in milliseconds. */
export const DEADLINE = 50;

/** Milliseconds of traffic before a fault and after it. */
const CALM = 250;
/** A fault whose end is not seen by then has not ended for the limiters. Other clients connect again when they like. */
const PATIENCE = { own: 15_000, others: 2_000 };

/** Strikes while callers of limiters of every kind ask without a pause, heals, and tells what became of it all. */
export async function runFault(fault: Fault, { atMost = Infinity, client }: FaultRunOptions = {}): Promise<FaultRow> {
  const scene = await fault.set();
  const callers = client?.(scene.connection);
  const store = redisStore(callers ?? scene.connection, { deadline: DEADLINE });
  const run: Run = { fault, scene, journal: new Journal(), traffic: new Traffic(limitersOn(store)) };
  try {
    await delay(CALM);
    await scene.strike();
    await delay(Math.min(fault.lasts ?? 2_000, atMost));
    await struck(run);
    const before = fault.expects?.beginsEmpty === true ? askedOf(run) : NOTHING;
    const recovery = await recover(run, callers ? PATIENCE.others : PATIENCE.own);
    await delay(CALM);
    await run.traffic.stop();
    return { ...seenBy(run), ...(await countedSince(before, run)), recovery, ownClient: callers === undefined };
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

type Seen = Omit<FaultRow, 'ownClient' | 'recovery' | 'admitted' | 'unsure' | 'onRedis' | 'ghosts'>;

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

/** Requests that Redis has counted, and those that it may have. */
type Asked = Pick<FaultRow, 'admitted' | 'unsure'>;

const NOTHING: Asked = { admitted: 0, unsure: 0 };

function askedOf({ traffic, journal }: Run): Asked {
  return { admitted: traffic.admitted, unsure: journal.unsure };
}

async function countedSince(before: Asked, run: Run): Promise<Asked & Pick<FaultRow, 'onRedis' | 'ghosts'>> {
  const ports = await run.scene.ports();
  const onRedis = await hitsOn(ports);
  await delay(CALM);
  const { admitted, unsure } = askedOf(run);
  const ghosts = (await hitsOn(ports)) - onRedis;
  return { admitted: admitted - before.admitted, unsure: unsure - before.unsure, onRedis, ghosts };
}

/** Resolves when a fault has done what it is expected to do, for which a busy machine may need longer. */
async function struck({ fault, traffic, journal }: Run): Promise<void> {
  const { degrades = true, breaker } = fault.expects ?? {};
  const { decidedBy } = traffic;
  const until = performance.now() + PATIENCE.own;
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
