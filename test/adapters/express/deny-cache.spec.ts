import { subscribe, type RedisStore } from '@sluice/core';
import { rateLimit, redisStore, type Decision } from '@sluice/express';
import { until } from '../until.js';
import { patient } from '../../../packages/core/src/testing/internal/patient.js';
import { startRedis, type RedisServer } from '../../support/redis.js';
import { served, versions } from './frameworks.js';
import { siteOpener } from './site.js';

describe.each(versions)('Denials that are remembered on %s', (_version, express) => {
  const open = siteOpener();
  let server: RedisServer;
  let store: RedisStore;

  beforeAll(async () => {
    server = await startRedis();
    store = redisStore({ url: server.url }, patient);
    await store.ready();
  });

  afterAll(async () => {
    await store.close();
    await server.stop();
  });

  it('have fields that count down, while Redis is asked nothing', async () => {
    const limit = { name: 'minute', algorithm: 'fixed-window', limit: 1, window: '1m' } as const;
    const site = await open(served(express, rateLimit({ store, ...limit, headers: ['x-ratelimit', 'draft-11'] })));
    await site.askTimes(2);
    const decisions: Decision[] = [];
    const stop = subscribe('sluice:decision', ({ decision }) => decisions.push(decision));

    const first = await site.ask();
    let last = first;
    await until(async () => {
      last = await site.ask();
      return last.headers['retry-after'] !== first.headers['retry-after'];
    });
    stop();

    expect(decisions.every(({ source }) => source === 'deny-cache')).toBe(true);
    expect([first.status, last.status]).toEqual([429, 429]);
    expect(Number(last.headers['retry-after'])).toBe(Number(first.headers['retry-after']) - 1);
    expect(last.headers['ratelimit']).toBe(`"minute";r=0;t=${last.headers['retry-after']}`);
    const { 'x-ratelimit-limit': most, 'x-ratelimit-remaining': left } = last.headers;
    expect([most, left]).toEqual(['1', '0']);
    // When it is does not move; a second is where it is rounded.
    const resets = [first, last].map(({ headers }) => Number(headers['x-ratelimit-reset']));
    expect(Math.abs(resets[0]! - resets[1]!)).toBeLessThanOrEqual(1);
  });
});
