import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLimiter, type Limiter } from '@sluice/core';
import { redisStore, type RedisStore } from '@sluice/redis';
import { createDashboard, type Dashboard, type Health } from '@sluice/dashboard';
import { startRedis, type RedisServer } from '../support/redis.js';
import { restart } from '../support/restart.js';
import { closeServer, listen } from '../support/site.js';
import { until } from '../support/until.js';
import { eventsIn, openPage, stateOf } from './open-page.js';

describe('a dashboard whose Redis is killed', () => {
  let redis: RedisServer;
  let store: RedisStore;
  let limiter: Limiter<string>;
  let dashboard: Dashboard;
  let server: Server;
  let url: string;

  beforeAll(async () => {
    // Warnings have specs of their own.
    jest.spyOn(process, 'emitWarning').mockReturnValue();
    redis = await startRedis();
    store = redisStore({ url: redis.url }, { deadline: '1s' });
    limiter = createLimiter<string>({ store, name: 'minute', key: (user) => user, limit: 1_000_000, window: '1m' });
    dashboard = createDashboard({ store, fleet: true, authorize: true });
    server = createServer(dashboard.handle);
    await listen(server);
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    await store.ready();
  });

  afterAll(async () => {
    dashboard.close();
    await closeServer(server);
    await store.close();
    await redis.stop();
    jest.restoreAllMocks();
  });

  it('says so within two ticks, counts on, and is well when Redis is back', async () => {
    const page = await openPage(url);
    await limiter.consume('ada');
    const well = (await stateOf(url)).health;

    redis.process.kill('SIGKILL');
    const newest = () => (eventsIn(page.text, 'health') as Health[]).at(-1);
    await until(async () => (await limiter.consume('ada')).degraded);
    const textBefore = page.text.length;
    await until(async () => {
      await limiter.consume('ada');
      return newest()?.degradedFor !== undefined;
    });
    const ticks = eventsIn(page.text.slice(textBefore), 'tick').length;
    const ill = newest()!;

    await restart(redis);
    await until(async () => {
      await limiter.consume('ada');
      return newest()?.degradedFor === undefined;
    });
    const state = await stateOf(url);
    page.close();

    expect(well).toMatchObject({ store: 'redis', breakers: [{ state: 'closed' }], degraded: 0 });
    expect(well.calls!.count).toBeGreaterThan(0);
    expect(ticks).toBeLessThanOrEqual(2);
    expect(ill.fault!.problem).toEqual(expect.any(String));
    expect(state.health.degradedFor).toBeUndefined();
    expect(state.health.degraded).toBeGreaterThan(0);
    expect(state.decisions.denied + state.decisions.unavailable).toBe(0);
  });
});
