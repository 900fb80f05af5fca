import { createLimiter, subscribe, type OnStoreFailure, type SluiceEvents } from '@sluice/core';
import { redisStore } from '@sluice/redis';
import * as express from '@sluice/express';
import * as expressRedis from '@sluice/redis';
import * as fastify from '@sluice/fastify';
import * as fastifyRedis from '@sluice/redis';
import * as nestjs from '@sluice/nestjs';
import * as nestjsRedis from '@sluice/redis';

// `npm run lint` compiles this file. Each @ts-expect-error is an error that the types must report.

describe('subscribe', () => {
  it('types the events of each channel', () => {
    const events: SluiceEvents['sluice:decision'][] = [];
    const ends = [
      subscribe('sluice:decision', (event) => void events.push(event)),
      subscribe('sluice:degraded', ({ operation, fallback, code, message, tiers }) => {
        const mode: OnStoreFailure | undefined = fallback;
        void [operation, mode, code, message, tiers.join()];
      }),
      subscribe('sluice:breaker', ({ state, openFor = 0, primary = 'the one' }) => {
        // @ts-expect-error there is no such state
        void [state === 'half', openFor + 1, primary.length];
      }),
      subscribe('sluice:store-call', ({ duration, groups, outcome, problem }) => {
        void [duration + groups, outcome === 'late', problem?.length];
      }),
      subscribe('sluice:late-reply', ({ duration, groups }) => void (duration + groups)),
      subscribe('sluice:config-fault', ({ problem }) => void problem.length),
    ];

    const decision = createLimiter({ key: () => 'ada', limit: 5, window: '1m' }).consume({});

    expect(events).toEqual([{ decision }]);
    for (const end of ends) end();
  });

  it('rejects an unknown channel', () => {
    // @ts-expect-error there is no such channel
    const misspelt = () => subscribe('sluice:breakers', () => undefined);

    expect(misspelt).toBeInstanceOf(Function);
  });

  it.each([
    ['express', express, expressRedis],
    ['fastify', fastify, fastifyRedis],
    ['nestjs', nestjs, nestjsRedis],
  ])('is exported by @sluice/%s, with redisStore by its entry for Redis', (_name, adapter, redis) => {
    expect([adapter.subscribe, redis.redisStore]).toEqual([subscribe, redisStore]);
  });

  it('has its types in each adapter', () => {
    const options: [expressRedis.RedisOptions, fastifyRedis.RedisStoreOptions, nestjs.OnStoreFailure] = [
      { url: 'redis://127.0.0.1:6379' },
      { deadline: '20ms' },
      'deny',
    ];
    const names: [keyof express.SluiceEvents, keyof fastify.SluiceEvents, keyof nestjs.SluiceEvents] = [
      'sluice:decision',
      'sluice:breaker',
      'sluice:degraded',
    ];

    expect([options.length, names.length]).toEqual([3, 3]);
  });
});
