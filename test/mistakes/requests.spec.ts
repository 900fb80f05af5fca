import { createLimiter } from '@sluice/core';
import { createGate } from '../../packages/http/src/gate/gate.js';
import { redisStore } from '@sluice/redis';
import { exchange } from '../support/exchange.js';
import { patient } from '../support/patient.js';
import { startRedis } from '../support/redis.js';
import { warningCatcher } from '../support/warnings.js';

/** Mistakes that only a request can reveal: each answer has the cause, the option and the repair. */
describe('a request behind a mistake', () => {
  const warnings = warningCatcher();

  it.each([
    ['a header that is not there', () => Number(undefined), 'got NaN: what it reads is missing, or is no number'],
    ['a fraction', () => 1.5, 'an integer of at least 0, got 1.5'],
    ['a path that returns nothing', () => undefined, 'an integer of at least 0, got undefined'],
    ['text', () => '5', 'an integer of at least 0, got text'],
  ])('gets the owner, the option and the rule of a cost from %s', async (_name, cost, words) => {
    const gate = createGate({ limit: 5, window: '1m', cost: cost as () => number });

    const { request, response } = exchange();
    const error = await reasonOf(Promise.resolve().then(() => gate.admit(request, response)));

    expect(error).toMatchObject({ name: 'UsageError', code: 'FUNCTION_FAILED' });
    expect(error.message).toContain('rateLimit: the function cost must return ');
    expect(error.message).toContain(words);
  });

  it('gets the repair of a Redis that wants a password', async () => {
    const server = await startRedis({ args: ['--requirepass', 'right'] });
    const store = redisStore({ url: server.url }, patient);
    const limiter = createLimiter<string>({ store, name: 'minute', key: (user) => user, limit: 5, window: '1m' });

    const { degraded } = await limiter.consume('ada');
    await store.close();
    await server.stop();

    expect(degraded).toBe(true);
    expect(warnings()).toContainEqual([
      'SLUICE_REDIS_REFUSES',
      expect.stringContaining("NOAUTH this Redis wants a password: write redisStore({ url: 'redis://:password@"),
    ]);
  });
});

async function reasonOf(call: Promise<unknown>): Promise<Error> {
  return call.then(
    () => new Error('the request was admitted'),
    (reason: Error) => reason,
  );
}
