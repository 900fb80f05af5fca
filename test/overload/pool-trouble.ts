import { setTimeout } from 'node:timers/promises';
import type { Flood } from './flood.js';
import { CAPACITY, PoolSite, quantileOf } from './pool-site.js';
import type { PoolServerName } from './pool-terms.js';
import { PRIORITIES } from './terms.js';

/** Milliseconds before Postgres stops, for which it stops, and afterwards. */
const [BEFORE, STUCK, AFTER] = [2_000, 10_000, 8_000];
/** Requests that come, as a part of the capacity. */
const LOAD = 0.8;

interface Asked {
  /** Milliseconds since the first. */
  readonly at: number;
  readonly path: string;
  readonly status: number;
  readonly took: number;
}

export const STUCK_HEAD = ['server', 'refused', 'after, p50', 'after, most', 'waited in vain', 'back after'];
export const MIXED_HEAD = ['server', 'requests', 'refused', 'not in time', '1 ms: p99', '500 ms: p99'];

/** What clients see of a pool whose Postgres stands for ten seconds. */
export async function stuckRow(name: PoolServerName): Promise<readonly string[]> {
  const site = await PoolSite.start(name, 20);
  const asking = askAtRandom(site.flood, BEFORE + STUCK + AFTER, [
    { path: () => PRIORITIES[Math.floor(Math.random() * 3)]!, rate: LOAD * CAPACITY },
  ]);
  await setTimeout(BEFORE);
  const signal = await site.signalBackends('SIGSTOP');
  await setTimeout(STUCK);
  signal('SIGCONT');
  const asked = await asking;
  await site.stop();
  const during = asked.filter(({ at }) => at > BEFORE && at < BEFORE + STUCK);
  const refused = during.filter(({ status }) => status === 503).map(({ took }) => took);
  const last = Math.max(0, ...asked.filter(({ status }) => status !== 200).map(({ at }) => at));
  const inVain = during.filter(({ status, path }) => status === 0 && path !== 'critical');
  return [
    name,
    String(refused.length),
    ...[0.5, 1].map((part) => (refused.length === 0 ? '–' : `${quantileOf(refused, part).toFixed(0)} ms`)),
    String(inVain.length),
    last >= BEFORE + STUCK + AFTER - 500 ? 'not' : `${Math.max(0, last - BEFORE - STUCK).toFixed(0)} ms`,
  ];
}

/** What clients see of a pool that has room, with queries of 1 ms and of 500 ms: half of the connections are in use. */
export async function mixedRow(name: PoolServerName, seconds: number): Promise<readonly string[]> {
  const site = await PoolSite.start(name, 20);
  const asked = await askAtRandom(site.flood, seconds * 1_000, [
    { path: () => '500/sheddable', rate: 9 },
    { path: () => '1/sheddable', rate: 200 },
  ]);
  await site.stop();
  const timesOf = (start: string) => asked.filter(({ path }) => path.startsWith(start)).map(({ took }) => took);
  return [
    name,
    String(asked.length),
    String(asked.filter(({ status }) => status === 503).length),
    String(asked.filter(({ status }) => status === 0).length),
    ...['1/', '500/'].map((start) => `${quantileOf(timesOf(start), 0.99).toFixed(0)} ms`),
  ];
}

interface Source {
  readonly path: () => string;
  /** Requests a second. */
  readonly rate: number;
}

/** Asks at random times, for as many milliseconds. */
async function askAtRandom(flood: Flood, lasts: number, sources: readonly Source[]): Promise<readonly Asked[]> {
  const start = performance.now();
  const asked: Promise<Asked>[] = [];
  const ask = async (path: string): Promise<Asked> => {
    const at = performance.now() - start;
    const status = await flood.ask(path);
    return { at, path, status, took: performance.now() - start - at };
  };
  await Promise.all(
    sources.map(async ({ path, rate }) => {
      for (let next = 0; next < lasts; next -= Math.log(1 - Math.random()) * (1_000 / rate)) {
        await setTimeout(Math.max(0, start + next - performance.now()));
        asked.push(ask(path()));
      }
    }),
  );
  return Promise.all(asked);
}
