import { once } from 'node:events';
import { createLimiter, type Tier } from '@sluice/core';
import { line } from '@sluice/overload/line';
import { redisStore } from '@sluice/redis';
import { patient } from '../support/patient.js';
import { startRedis } from '../support/redis.js';
import { restart } from '../support/restart.js';
import { until } from '../support/until.js';
import { warningCatcher } from '../support/warnings.js';

interface Worker {
  readonly worker: string;
}

/** A unit comes back in 10 minutes, so that no busy machine decides a test. */
const bucket = { name: 'shared', algorithm: 'token-bucket', limit: 6, window: '1h', burst: 10 } as const;
/** In the time of a unit. */
const turnOf = ({ retryAfter }: { readonly retryAfter: number }) => Math.round(retryAfter / 600_000);

describe('A line whose Redis is away', () => {
  warningCatcher();

  it('is told to nobody: this process tells the exact wait, for which nothing waits, and begins the line again after it', async () => {
    const server = await startRedis();
    const store = redisStore({ url: server.url }, patient);
    const by = ({ worker }: Worker) => worker;
    const tier = { ...bucket, key: () => 'acme', line: line<Worker>({ longest: '1d', by }) };
    const limiter = createLimiter<Worker>({ store, tiers: [tier] as Tier<Worker>[] });
    const consume = (worker: string, cost = 1) => limiter.consume({ worker }, { cost });
    try {
      await store.ready();
      await consume('zero', 10);
      const before = [await consume('ada'), await consume('bob')];
      server.process.kill('SIGKILL');
      await once(server.process, 'exit');
      // More than the failures that open the breaker.
      for (let count = 0; count < 10; count += 1) await consume('zero');
      const away = [];
      for (const worker of ['ada', 'bob', 'ada']) away.push(await consume(worker));
      await restart(server);
      await until(async () => !(await consume('zero', 10)).degraded);
      const again = [await consume('eve'), await consume('ada'), await consume('eve')];

      expect(before.map(turnOf)).toEqual([1, 2]);
      expect(away.map(({ source, degraded }) => [source, degraded])).toEqual(away.map(() => ['local', true]));
      expect(away.map(turnOf)).toEqual([1, 1, 1]);
      expect(away.flatMap(({ outcomes }) => outcomes).filter(({ fitsAfter }) => fitsAfter !== undefined)).toEqual([]);
      expect(again.map(turnOf)).toEqual([1, 2, 1]);
    } finally {
      await limiter.close();
      await store.close();
      await server.stop();
    }
  });
});
