import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import type { ConfigError } from '../../model/errors.js';
import { memoryStore } from '../../stores/memory/memory-store.js';
import { createLimiter } from '../limiter.js';
import type { Tier } from './tier.js';

const minute: Tier<unknown> = { name: 'minute', key: () => 'ada', limit: 5, window: '1m' };
const byFunction: Tier<unknown> = { ...minute, name: 'function', limit: () => 5 };

describe('TierOptions.name', () => {
  it.each(['default', 'a', 'x'.repeat(64), 'GET /users/:id', '~!@#$^&*()[]|;<>,.?/', '__proto__', ' ', '%25%7B%C3%A9'])(
    'accepts %j',
    (name) => {
      expect(() => createLimiter({ tiers: [{ ...minute, name }] })).not.toThrow();
    },
  );

  it("is 'default' for the only tier of a limiter with its own store", async () => {
    const limiter = createLimiter({ key: () => 'ada', limit: 5, window: '1m' });

    expect((await limiter.consume({})).outcomes[0]!.tier).toBe('default');
  });

  it('rejects two tiers of one name in a limiter, even the same object', () => {
    const make = () => createLimiter({ tiers: [minute, { ...minute, name: 'other' }, minute] });

    expect(make).toThrow(taken('minute'));
    expect(make).toThrow('tier "minute": name must stand once in a limiter, got "minute" twice');
  });

  it.each<[string, Partial<Tier<unknown>>]>([
    ['limit', { limit: 6 }],
    ['window', { window: '2m' }],
    ['precision', { precision: 2 }],
    ['algorithm', { algorithm: 'fixed-window' }],
    ['limit function', { limit: () => 5 }],
    ['limit function than its own', { name: 'function', limit: () => 5 }],
  ])('rejects a second tier of the name in a store with another %s', (_what, change) => {
    const store = memoryStore();
    createLimiter({ store, tiers: [minute, byFunction] });

    const make = () => createLimiter({ store, tiers: [{ ...minute, ...change } as Tier<unknown>] });

    expect(make).toThrow(taken(change.name ?? 'minute'));
    expect(make).toThrow(/another tier of this name has other numbers or another limit function: rename one/);
  });

  it.each<[string, Tier<unknown>]>([
    ['the same object', minute],
    ['the same limit function', { ...byFunction }],
    ['equal numbers', { ...minute, window: 60_000, algorithm: 'sliding-window' }],
    ['equal numbers and another key, cost and mode', { ...minute, key: () => 'bob', cost: 2, mode: 'shadow' }],
  ])('accepts %s again in a store', (_what, again) => {
    const store = memoryStore();
    createLimiter({ store, tiers: [minute, byFunction] });

    expect(() => createLimiter({ store, tiers: [again] })).not.toThrow();
  });

  it('shares a budget between two limiters of a store', async () => {
    const store = memoryStore();
    const [one, other] = [createLimiter({ store, tiers: [minute] }), createLimiter({ store, tiers: [minute] })];

    await one.consume({});

    expect((await other.peek({})).outcomes[0]!.remaining).toBe(4);
  });

  it('is separate in another store and under another prefix', () => {
    const store = memoryStore();
    const make = (limit: number, options: object) =>
      createLimiter({ store, tiers: [{ ...minute, limit }], ...options });
    make(5, {});

    expect(() => make(6, { store: memoryStore() })).not.toThrow();
    expect(() => make(6, { prefix: 'other' })).not.toThrow();
    expect(() => make(7, { prefix: 'other' })).toThrow(taken('minute'));
    // A prefix and a name that join to the same text as another pair.
    make(5, { prefix: 'a:b', tiers: [{ ...minute, name: 'c' }] });
    expect(() => make(6, { prefix: 'a', tiers: [{ ...minute, name: 'b:c', limit: 6 }] })).not.toThrow();
  });

  it('is free again once every limiter with it is closed', async () => {
    const store = memoryStore();
    const [one, other] = [createLimiter({ store, tiers: [minute] }), createLimiter({ store, tiers: [minute] })];
    const again = () => createLimiter({ store, tiers: [{ ...minute, limit: 6 }] });

    await other.close();
    expect(again).toThrow(taken('minute'));
    await one.close();

    expect(again).not.toThrow();
  });

  it('stays free when a closed limiter gets a plan', async () => {
    const store = memoryStore();
    const limiter = createLimiter({ store, tiers: () => [minute] });
    await limiter.consume({});

    await limiter.close();
    await limiter.peek({});

    expect(() => createLimiter({ store, tiers: [{ ...minute, limit: 6 }] })).not.toThrow();
  });

  it('is free again once its limiter was collected', async () => {
    const store = memoryStore();
    const make = (limit: number) => {
      const tier = { ...minute, key: () => 'bob', limit };
      createLimiter({ store, tiers: [tier] });
      return new WeakRef(tier.key);
    };
    const ref = make(5);

    await collected(ref);

    expect(ref.deref()).toBeUndefined();
    expect(() => make(6)).not.toThrow();
  });

  it('is taken for another limiter while plans of a limiter give it other limits, and not for one with a plan of them', () => {
    const store = memoryStore();
    const plans = [5, 50].map((limit) => [{ ...minute, limit }]);
    const make = (limit: number) => createLimiter({ store, tiers: [{ ...minute, limit }] });
    createLimiter({ store, tiers: () => plans[0]!, plans });

    expect(() => make(6)).toThrow(taken('minute'));
    expect(() => createLimiter({ store, tiers: () => plans[1]!, plans })).not.toThrow();
    expect(() => make(50)).not.toThrow();
  });

  it('stays free if its limiter could not be created', () => {
    const store = memoryStore();
    createLimiter({ store, tiers: [minute] });
    const wrong = [
      { ...minute, name: 'hour' },
      { ...minute, limit: 6 },
    ];

    expect(() => createLimiter({ store, tiers: wrong })).toThrow(taken('minute'));
    expect(() => createLimiter({ store, tiers: [{ ...minute, name: 'hour', limit: 7 }] })).not.toThrow();
  });
});

async function collected(ref: WeakRef<object>): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let round = 0; round < 20 && ref.deref() !== undefined; round += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    collect();
  }
}

function taken(name: string): ConfigError {
  return expect.objectContaining({ name: 'ConfigError', code: 'TIER_NAME_TAKEN', option: 'name', value: name });
}
