import { byIp, createLimiter, memoryStore, refund, settle, type Store } from '@sluice/http';
import { redisStore } from '@sluice/redis';
import type * as Core from '@sluice/core';
import type * as CoreRedis from '@sluice/redis';
import { warn } from '../../packages/core/src/events/warning.js';
import { newTag } from '../support/claim.js';
import { patient } from '../support/patient.js';
import { withRedis } from '../support/redis-store.js';

/** Another copy of a module, such as that of a second installed version. */
async function copyOf<T>(load: () => Promise<T>): Promise<T> {
  let copy: T | undefined;
  await jest.isolateModulesAsync(async () => {
    copy = await load();
  });
  return copy!;
}

describe('Two copies of core in one process', () => {
  const redis = withRedis();
  const key = ({ name }: { name: string }) => name;
  const anna = { name: 'anna' };
  let other: typeof Core & typeof CoreRedis;

  beforeAll(async () => {
    other = await copyOf(async () => ({ ...(await import('@sluice/core')), ...(await import('@sluice/redis')) }));
  });

  /** A limit of one unit. */
  const once = (store: Store, name = newTag()) =>
    ({ name, key, store, algorithm: 'fixed-window', limit: 1, window: '1h' }) as const;

  it('are two copies', () => {
    expect(other.createLimiter).not.toBe(createLimiter);
  });

  it('refund and settle the decisions of each other', async () => {
    const options = { name: 'units', key, limit: 10, window: '1h', store: memoryStore() } as const;
    const limiter = createLimiter(options);
    const decision = await limiter.consume(anna, { cost: 4 });
    const settled = await other.createLimiter(options).consume(anna, { cost: 4 });

    expect(await other.refund(decision, 3)).toBe(3);
    expect(await settle(settled, 1)).toBe(-3);
    expect(await refund(settled)).toBe(0);
    expect((await limiter.peek(anna)).binding?.remaining).toBe(8);
  });

  it.each([
    ['a store', () => memoryStore(), (store: Store) => store],
    ['an ioredis client', () => redisStore(redis.client, patient), () => other.redisStore(redis.client, patient)],
  ])('know the tier names of each other in %s that they share', (_name, makeStore, storeOfOther) => {
    const store = makeStore();
    const options = once(store);
    createLimiter(options);
    const same = { ...options, store: storeOfOther(store) };

    expect(() => other.createLimiter({ ...same, limit: 2 })).toThrow(
      expect.objectContaining({ code: 'TIER_NAME_TAKEN' }),
    );
    expect(() => other.createLimiter(same)).not.toThrow();
  });

  it.each([
    ['one store', (store: Store) => store],
    ['stores on one client', () => other.redisStore(redis.client, patient)],
  ])('drop denials from the cache of each other: %s', async (_name, storeOfOther) => {
    const store = redisStore(redis.client, patient);
    await store.ready();
    const options = once(store);
    const limiter = createLimiter(options);
    const second = other.createLimiter({ ...options, store: storeOfOther(store) });
    await limiter.consume(anna);
    await limiter.consume(anna);

    expect((await second.consume(anna)).source).toBe('deny-cache');
    await second.reset(anna);
    expect(await limiter.consume(anna)).toMatchObject({ allowed: true, source: 'redis' });
  });

  it('detect on one client that deadlines differ', () => {
    const client = redis.client.duplicate({ lazyConnect: true });
    redisStore(client);

    expect(() => other.redisStore(client, { deadline: 70 })).toThrow('must be the same for all stores');
  });

  it('find the bounds of the keys in a decision of the other', async () => {
    const { TieredDecision } = await copyOf(
      () => import('../../packages/core/src/limiter/decisions/tiered-decision.js'),
    );
    const decision = await createLimiter({ ...once(memoryStore()), key: byIp() }).consume({ ip: '192.0.2.1' });

    expect(TieredDecision.isBoundedBy(decision, 'address')).toBe(true);
  });

  it('warn once', async () => {
    const emitted = jest.spyOn(process, 'emitWarning').mockImplementation();
    const { warn: otherWarn } = await copyOf(() => import('../../packages/core/src/events/warning.js'));

    warn('SLUICE_SHARED', 'it has happened');
    otherWarn('SLUICE_SHARED', 'it has happened');

    expect(emitted).toHaveBeenCalledTimes(1);
    emitted.mockRestore();
  });
});
