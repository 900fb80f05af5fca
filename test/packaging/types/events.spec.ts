import { createLimiter, redisStore, subscribe, type OnStoreFailure, type SluiceEvents } from '@sluice/core';
import * as express from '@sluice/express';
import * as fastify from '@sluice/fastify';
import * as nestjs from '@sluice/nestjs';

// The compiler reads this file in `npm run lint`.

describe('A listener', () => {
  it('is given what is told on its channel, with its type', () => {
    const told: SluiceEvents['sluice:decision'][] = [];
    const ends = [
      subscribe('sluice:decision', (event) => void told.push(event)),
      subscribe('sluice:degraded', ({ operation, fallback, code, message, tiers }) => {
        const instead: OnStoreFailure | undefined = fallback;
        void [operation, instead, code, message, tiers.join()];
      }),
      subscribe('sluice:breaker', ({ state, openFor = 0, primary = 'the one' }) => {
        // @ts-expect-error a breaker is not half
        void [state === 'half', openFor + 1, primary.length];
      }),
      subscribe('sluice:store-call', ({ duration, groups, outcome, problem }) => {
        void [duration + groups, outcome === 'late', problem?.length];
      }),
      subscribe('sluice:late-reply', ({ duration, groups }) => void (duration + groups)),
      subscribe('sluice:config-fault', ({ problem }) => void problem.length),
    ];

    const decision = createLimiter({ key: () => 'ada', limit: 5, window: '1m' }).consume({});

    expect(told).toEqual([{ decision }]);
    for (const end of ends) end();
  });

  it('is for a channel that there is', () => {
    // @ts-expect-error no such channel
    const misspelt = () => subscribe('sluice:breakers', () => undefined);

    expect(misspelt).toBeInstanceOf(Function);
  });

  it.each([
    ['express', express],
    ['fastify', fastify],
    ['nestjs', nestjs],
  ])('and a store come from the same import as all else: @sluice/%s', (_name, adapter) => {
    expect([adapter.subscribe, adapter.redisStore]).toEqual([subscribe, redisStore]);
  });

  it('has its types there too', () => {
    const options: [express.RedisOptions, fastify.RedisStoreOptions, nestjs.OnStoreFailure] = [
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
