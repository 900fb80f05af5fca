import { once } from 'node:events';
import { createLimiter, type Decision, type Limiter, type Store } from '../../packages/core/src/index.js';
import { redisStore } from '../../packages/redis/src/index.js';
import { startRedis, type RedisServer } from '../support/redis.js';

interface Subject {
  readonly id: string;
}

describe('a limiter whose server comes and goes', () => {
  let server: RedisServer;
  let store: Store;

  beforeEach(async () => {
    server = await startRedis();
    store = redisStore({ url: server.url });
  });

  afterEach(async () => {
    await store.close();
    await server.stop();
  });

  const limiterOf = (name: string, options: { share?: number } = {}): Limiter<Subject> =>
    createLimiter<Subject>({ store, name, limit: 6, window: '1h', key: ({ id }) => id, ...options });

  const flap = async (limiters: readonly Limiter<Subject>[], whileDown: () => Promise<void>) => {
    await Promise.all(limiters.map(answeredByRedis));
    server.process.kill('SIGKILL');
    await once(server.process, 'exit');
    await whileDown();
    await server.restart();
  };

  it('keeps its local counts from one outage to the next', async () => {
    const limiter = limiterOf('whole');
    const decisions: Decision[] = [];

    for (let outage = 0; outage < 3; outage += 1) {
      await flap([limiter], async () => {
        for (let sent = 0; sent < 4; sent += 1) decisions.push(await limiter.consume({ id: 'ada' }));
      });
    }

    expect(decisions.every(({ source, degraded }) => source === 'local' && degraded)).toBe(true);
    expect(decisions.map(({ allowed }) => allowed)).toEqual([
      ...Array.from({ length: 6 }, () => true),
      ...Array.from({ length: 6 }, () => false),
    ]);
    expect(decisions.at(-1)).toMatchObject({ reason: 'denied', deniedBy: ['whole'] });
  });

  it('admits the share of the process over all outages', async () => {
    const limiter = limiterOf('third', { share: 1 / 3 });
    let admitted = 0;

    for (let outage = 0; outage < 3; outage += 1) {
      await flap([limiter], async () => {
        for (let sent = 0; sent < 3; sent += 1) admitted += (await limiter.consume({ id: 'ada' })).allowed ? 1 : 0;
      });
    }

    expect(admitted).toBe(2);
  });

  it('does not send local counts to the server', async () => {
    const limiter = limiterOf('whole');
    await flap([limiter], async () => {
      await limiter.consume({ id: 'ada' });
      await limiter.consume({ id: 'ada' });
    });

    await answeredByRedis(limiter);
    const decision = await limiter.peek({ id: 'ada' });

    expect(decision).toMatchObject({ source: 'redis', degraded: false, binding: { remaining: 6 } });
  });
});

/** Repeats a peek for another client until Redis answers it. */
async function answeredByRedis(limiter: Limiter<Subject>): Promise<void> {
  while ((await limiter.peek({ id: 'bob' })).source !== 'redis') await new Promise(setImmediate);
}
