import { setTimeout as delay } from 'node:timers/promises';
import { createLimiter, type Decision } from '@sluice/core';
import { redisStore, type RedisStore } from '@sluice/redis';
import { collectMetrics, type InstrumentName, type Metrics, type NumberPoint } from '@sluice/metrics';
import { startRedis, type RedisServer } from '../support/redis.js';
import { until } from '../support/until.js';

const LIMIT = 1_000_000;
const PAUSE_MS = 2_500;

/** The sum of an instrument. @param operation of its points. @default all */
async function sum(metrics: Metrics, name: InstrumentName, operation?: string): Promise<number> {
  const points = (await metrics.points(name)) as readonly NumberPoint[];
  const isOf = (point: NumberPoint) => operation === undefined || point.attributes['sluice.operation'] === operation;
  return points.filter(isOf).reduce((total, { value }) => total + value, 0);
}

/** Milliseconds in which a request was decided. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** How many of these requests lie more than a second apart, so that no second has two of them, however late a busy machine is. */
function leastSeconds(spans: readonly Span[]): number {
  let [seconds, end] = [0, -Infinity];
  for (const { from, to } of spans) {
    if (from <= end) continue;
    seconds += 1;
    end = to + 1e3;
  }
  return seconds;
}

describe('The metrics of an outage', () => {
  let server: RedisServer;
  let store: RedisStore;
  let metrics: Metrics;

  beforeAll(async () => {
    jest.spyOn(process, 'emitWarning').mockReturnValue();
    server = await startRedis();
    store = redisStore({ url: server.url });
    await store.ready();
  });

  afterAll(async () => {
    metrics.stop();
    await store.close();
    await server.stop();
    jest.restoreAllMocks();
  });

  it('have the seconds of the outage, its decisions, and at least as many late requests as were counted twice', async () => {
    metrics = collectMetrics({ stores: { main: store } });
    const limiter = createLimiter({
      store,
      name: 'all',
      key: () => 'all',
      limit: LIMIT,
      window: '1d',
      algorithm: 'fixed-window',
    });
    const decisions: Decision[] = [];
    const degraded: Span[] = [];
    const consume = async () => {
      const from = performance.now();
      const decision = await limiter.consume({});
      decisions.push(decision);
      if (decision.degraded) degraded.push({ from, to: performance.now() });
    };

    for (let request = 0; request < 20; request += 1) await consume();
    server.process.kill('SIGSTOP');
    const resumeAt = performance.now() + PAUSE_MS;
    while (performance.now() < resumeAt) {
      await Promise.all([consume(), consume(), consume()]);
      await delay(5);
    }
    server.process.kill('SIGCONT');
    while (decisions.at(-1)!.degraded) {
      await consume();
      await delay(5);
    }
    const byRedis = decisions.filter(({ source }) => source === 'redis').length;
    let [degradedPeeks, countedTwice] = [0, 0];
    // The store closes a silent connection after two seconds, and the server runs the calls on it all the same.
    await until(async () => {
      const { degraded: isDegraded, outcomes } = await limiter.peek({});
      if (isDegraded) degradedPeeks += 1;
      else countedTwice = LIMIT - outcomes[0]!.remaining - byRedis;
      return countedTwice > 0;
    });

    const seconds = await sum(metrics, 'sluice.degraded.time');
    expect(countedTwice).toBeGreaterThan(0);
    expect(await sum(metrics, 'sluice.late.requests')).toBeGreaterThanOrEqual(countedTwice);
    expect(seconds).toBeGreaterThanOrEqual(leastSeconds(degraded));
    expect(seconds).toBeLessThanOrEqual(1 + (performance.now() - degraded[0]!.from) / 1e3);
    expect(await sum(metrics, 'sluice.degraded.operations', 'consume')).toBe(degraded.length);
    // On a busy machine a peek may miss its deadline too.
    expect(await sum(metrics, 'sluice.degraded.operations', 'peek')).toBe(degradedPeeks);
    expect(await sum(metrics, 'sluice.decisions')).toBe(decisions.length);
    expect(await sum(metrics, 'sluice.breaker.open')).toBe(0);
  });
});
