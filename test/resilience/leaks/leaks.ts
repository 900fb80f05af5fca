import { setTimeout as delay } from 'node:timers/promises';
import { byIp, createLimiter, type HttpRequest } from '@sluice/http';
import { redisStore } from '@sluice/redis';
import { Redis } from 'ioredis';
import { Random } from '../../properties/twin/random.js';
import { served, type Stack } from '../../adapters/stack.js';
import { openSite, type StackSite } from '../../adapters/world.js';
import { patient } from '../../support/patient.js';
import { startRedis } from '../../support/redis.js';

export interface LeakOptions {
  /** Milliseconds after which no further round starts. */
  readonly lasts: number;
  /** Determines the requests and when their clients leave. */
  readonly seed: number;
  readonly stacks: readonly Stack[];
  /** Called after each round. */
  readonly onRound?: (round: Round) => void;
}

/** Requests on one framework, and what Redis stored when only those ran that wait to be told. */
export interface Round {
  readonly stack: string;
  readonly requests: number;
  /** Their clients left before the response. */
  readonly aborted: number;
  readonly running: number;
  /** Units in Redis while they ran, and after their clients had left and their work had ended. */
  readonly stored: number;
  readonly left: number;
}

interface Site {
  readonly site: StackSite;
  /** Ends the work that waits for it, once all of it has begun. */
  readonly endAll: (count: number) => Promise<void>;
}

const REQUESTS = 400;
const PARALLEL = 20;
const LIMIT = 15;
/** Requests that end when they are told. */
const MOST_RUNNING = 5;
/** Handlers and clients need so long at most. */
const LONGEST_MS = 20;
/** What is stored must be what runs after this time: a release that failed is repeated in a third of the hold. */
const SETTLE_MS = 12_000;
const PATHS = ['/', '/slow', '/slow', '/outlives', '/throws'] as const;

/**
 * Clients of every framework leave at random moments, some before the work for them ends. Afterwards nothing may be stored but what
 * runs.
 */
export async function leaks({ lasts, seed, stacks, onRound }: LeakOptions): Promise<readonly Round[]> {
  const random = new Random(seed);
  const server = await startRedis();
  const client = new Redis(server.port);
  const store = redisStore({ url: server.url }, patient);
  await store.ready();
  const sites = await Promise.all(stacks.map((stack) => siteOf(stack, store, random)));
  const rounds: Round[] = [];
  const begun = performance.now();
  try {
    do {
      for (const [index, site] of sites.entries()) {
        const round = { stack: stacks[index]!.name, ...(await roundOn(site, client, random)) };
        rounds.push(round);
        onRound?.(round);
      }
    } while (performance.now() - begun < lasts);
    return rounds;
  } finally {
    await Promise.all(sites.map(({ site }) => site.close()));
    await store.close();
    client.disconnect();
    await server.stop();
  }
}

async function siteOf(stack: Stack, store: ReturnType<typeof redisStore>, random: Random): Promise<Site> {
  const limiter = createLimiter<HttpRequest>({
    store,
    tiers: [
      { name: `${stack.name.replaceAll(/\W/g, '-')}-running`, key: byIp(), algorithm: 'concurrency', limit: LIMIT },
    ],
  });
  const limits = [{ limiter }];
  const slow = async () => {
    await delay(random.integer(0, LONGEST_MS));
    return served();
  };
  // Its work counts until it ends.
  const outlives = async () => {
    await delay(random.integer(LONGEST_MS, 3 * LONGEST_MS));
    return served();
  };
  const ends: (() => void)[] = [];
  const runs = () => new Promise<ReturnType<typeof served>>((resolve) => ends.push(() => resolve(served())));
  const routes = [
    { path: '/', limits },
    { path: '/slow', limits, handle: slow },
    { path: '/outlives', limits, handle: outlives },
    { path: '/runs', limits, handle: runs },
    { path: '/throws', limits, handle: () => Promise.reject(new Error('mine')) },
  ];
  const site = await openSite(stack, { store, routes });
  const endAll = async (count: number): Promise<void> => {
    while (ends.length < count) await delay(5);
    for (const end of ends.splice(0)) end();
  };
  return { site, endAll };
}

async function roundOn({ site, endAll }: Site, client: Redis, random: Random): Promise<Omit<Round, 'stack'>> {
  let started = 0;
  let aborted = 0;
  const call = async () => {
    while (started < REQUESTS) {
      started += 1;
      const path = random.pick(PATHS);
      const leaves = path === '/outlives' || random.chance(0.3);
      const isAborted = await request(site, path, leaves ? random.integer(0, LONGEST_MS) : undefined);
      if (isAborted) aborted += 1;
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, call));
  const running = Array.from({ length: random.integer(0, MOST_RUNNING) }, () => site.start({ path: '/runs' }));
  for (const each of running) each.on('error', () => undefined);
  const stored = await settledUnits(client, running.length);
  for (const each of running) each.destroy();
  await endAll(running.length);
  const left = await settledUnits(client, 0);
  return { requests: started, aborted, running: running.length, stored, left };
}

/** Resolves with true if the client left before the response was complete. */
function request(site: StackSite, path: string, leavesAfter: number | undefined): Promise<boolean> {
  return new Promise((resolve) => {
    const outgoing = site.start({ path });
    const timer = leavesAfter === undefined ? undefined : setTimeout(() => outgoing.destroy(), leavesAfter);
    let isComplete = false;
    outgoing.on('error', () => undefined);
    outgoing.on('response', (response) => {
      response.on('error', () => undefined).on('end', () => (isComplete = true));
      response.resume();
    });
    outgoing.on('close', () => {
      clearTimeout(timer);
      resolve(!isComplete);
    });
  });
}

/** The units in Redis once they are as many as expected, or those that are there after a while. */
async function settledUnits(client: Redis, expected: number): Promise<number> {
  const begun = performance.now();
  for (;;) {
    const keys = await client.keys('rl:*-running:*');
    const counts = await Promise.all(keys.map((key) => client.zcard(key)));
    const units = counts.reduce((sum, each) => sum + each, 0);
    if (units === expected || performance.now() - begun > SETTLE_MS) return units;
    await delay(5);
  }
}
