import * as fc from 'fast-check';

import type { PolicyOptions } from '../../algorithms/named/policy-options.js';
import type { Claim } from '../../model/claim.js';
import { fakeClock, type FakeClock } from '../../../../testing/src/clock.js';
import { claim } from '../../../../../test/support/claim.js';
import { SAMPLES } from '../../../../testing/src/suite/samples.js';
import { memoryStore, type MemoryStore } from './memory-store.js';

const MAX = 64;
const fiveAnHour: PolicyOptions = { algorithm: 'fixed-window', limit: 5, window: '1h' };

const claimOf = (key: string, policy: PolicyOptions = fiveAnHour) => claim({ tier: 'tier', key, policy });

const claimsOf = (count: number, name: string, policy?: PolicyOptions) =>
  Array.from({ length: count }, (_, number) => claimOf(`${name} ${number}`, policy));

const isAllowed = (store: MemoryStore, one: Claim) => store.consume([one]).outcomes[0]!.allowed;

const remaining = (store: MemoryStore, one: Claim) => store.peek([one]).outcomes[0]!.remaining;

describe('memoryStore with maxKeys keys', () => {
  it.each(Object.entries(SAMPLES))(
    'still denies after a flood of keys, and holds maxKeys keys (%s)',
    (_name, policy) => {
      const store = memoryStore({ maxKeys: MAX, clock: fakeClock() });
      const denied = claimsOf(MAX - 1, 'denied', policy);
      for (const each of denied) store.consume([{ ...each, cost: 5 }]);

      for (const each of claimsOf(10 * MAX, 'flood', policy)) store.consume([each]);

      expect(denied.filter((each) => isAllowed(store, each))).toEqual([]);
      expect(store.size).toBe(MAX);
    },
  );

  it('evicts keys with much of their budget left before keys with little', () => {
    const store = memoryStore({ maxKeys: 16, clock: fakeClock() });
    const used = claimsOf(16, 'used', { limit: 2, window: '1h' });
    for (const each of used) store.consume([each]);

    // The first of them evict keys that are half full. The others usually find fuller ones.
    for (const each of claimsOf(1_000, 'flood', { limit: 1_000, window: '1h' })) store.consume([each]);

    expect(used.map((each) => remaining(store, each))).toContain(1);
  });

  it('gives a new key no room that another key of its request has', () => {
    const maxKeys = 16;
    // Each key in turn has most of its budget left, so that a new one would take its room.
    for (let fullest = 0; fullest < maxKeys; fullest += 1) {
      const store = memoryStore({ maxKeys, clock: fakeClock() });
      const used = claimsOf(maxKeys, 'used');
      for (const [number, each] of used.entries()) store.consume([{ ...each, cost: number === fullest ? 1 : 3 }]);

      store.consume([claimOf('new'), used[fullest]!]);

      expect(remaining(store, used[fullest]!)).toBe(3);
    }
  });

  it('keeps the keys in use and those that deny in a flood of ten times as many that come once', () => {
    const count = 2_000;
    const store = memoryStore({ maxKeys: count, clock: fakeClock() });
    const policy: PolicyOptions = { algorithm: 'fixed-window', limit: 10, window: '1h' };
    const claims = claimsOf(count, 'key', policy);
    const costOf = (number: number) => [10, 10, 10, 5, 5, 5, 5, 1, 1, 1][number % 10]!;
    for (const [number, each] of claims.entries()) store.consume([{ ...each, cost: costOf(number) }]);

    for (const each of claimsOf(10 * count, 'flood', policy)) store.consume([each]);

    const lost = (cost: number) =>
      claims.filter((each, number) => costOf(number) === cost && remaining(store, each) !== 10 - cost).length;
    expect(lost(10)).toBe(0);
    // At most 1 %, because the choice is random. It is usually none.
    expect(lost(5)).toBeLessThanOrEqual(8);
  });

  it.each([0, 16])('adds and evicts no key for a claim that is denied, reads or peeks, beside %i keys', (count) => {
    const store = memoryStore({ maxKeys: 16, clock: fakeClock() });
    const claims = claimsOf(count, 'key');
    for (const each of claims) store.consume([each]);

    for (let number = 0; number < 100; number += 1) {
      store.peek([claimOf(`peeked ${number}`)]);
      store.consume([claimOf(`denied ${number}`), { ...claimOf(`never ${number}`), cost: 6 }]);
      store.consume([{ ...claimOf(`read ${number}`), cost: 0 }]);
    }

    expect(store.size).toBe(count);
    expect(claims.map((each) => remaining(store, each))).toEqual(claims.map(() => 4));
  });

  it('evicts no key while there is room for the charged ones', () => {
    const store = memoryStore({ maxKeys: 16, clock: fakeClock() });
    const claims = claimsOf(15, 'key');
    for (const each of claims) store.consume([each]);

    // The first claim would take the last room, but it does not fit.
    store.consume([{ ...claimOf('too large'), cost: 6, shadow: true }, claimOf('new')]);

    expect(store.size).toBe(16);
    expect(claims.map((each) => remaining(store, each))).toEqual(claims.map(() => 4));
  });

  it('evicts no key of the same request', () => {
    const requests = fc.array(fc.array(fc.nat({ max: 200 }), { minLength: 2, maxLength: 6 }), { maxLength: 60 });
    fc.assert(
      fc.property(requests, (all) => {
        const store = memoryStore({ maxKeys: 16, clock: fakeClock() });
        for (const numbers of all) {
          const group = [...new Set(numbers)].map((number) => ({
            ...claimOf(`key ${number}`, { limit: 1_000, window: '1h' }),
            tier: `${number}`,
          }));
          const { receipts } = store.consume(group);
          // No key denies, but the eight samples may be keys of this request. Then it is counted in the overflow.
          const own = receipts.filter(({ key }) => key.startsWith('key'));

          for (const { key, policy } of own) expect(remaining(store, claim({ key, policy }))).toBeLessThan(1_000);
          expect(store.size).toBeLessThanOrEqual(16);
        }
      }),
    );
  });

  it('evicts expired keys before any that lives', () => {
    const key = fc.record({
      minutes: fc.integer({ min: 1, max: 30 }),
      isBucket: fc.boolean(),
      isUsedAgain: fc.boolean(),
      isRefunded: fc.boolean(),
    });
    const keys16 = fc.array(key, { minLength: 16, maxLength: 16 });
    fc.assert(
      fc.property(keys16, fc.integer({ min: 0, max: 30 }), fc.boolean(), (keys, minutes, isOneRequest) => {
        const clock = fakeClock();
        const store = memoryStore({ maxKeys: 16, clock });
        const claims = keys.map(({ isBucket, minutes: window }, number) =>
          claimOf(`key ${number}`, {
            algorithm: isBucket ? 'token-bucket' : 'fixed-window',
            limit: 5,
            window: `${window}m`,
          }),
        );
        for (const each of claims) store.consume([each]);
        const receipts = claims.map((each) => store.consume([{ ...each, cost: 2 }]).receipts);
        clock.advance('30s');
        for (const [number, { isUsedAgain, isRefunded }] of keys.entries()) {
          if (isUsedAgain) store.consume([claims[number]!]);
          if (isRefunded) store.refund(receipts[number]!);
        }
        clock.advance(minutes * 60_000);
        const isLiving = (each: Claim) => store.peek([each]).outcomes[0]!.resetAfter > 0;
        const living = claims.filter(isLiving);

        const added = claimsOf(16 - living.length, 'new');
        if (isOneRequest) store.consume(added);
        else for (const each of added) store.consume([each]);

        expect(store.size).toBe(16);
        expect(living.every(isLiving)).toBe(true);
        expect(added.map((each) => remaining(store, each))).toEqual(added.map(() => 4));
      }),
    );
  });
});

describe('memoryStore full of keys that deny', () => {
  it('counts new keys of a tier and prefix in one budget', () => {
    const { store } = fullOfDenied();

    const allowed = Array.from({ length: 9 }, (_, number) => isAllowed(store, claimOf(`a:{${number}}:tier:fw000`)));

    expect(allowed).toEqual(allowed.map((_, number) => number < 5));
    expect(store.size).toBe(16);
  });

  it.each<[string, Claim, Claim]>([
    ['each tier', { ...claimOf('new'), tier: 'one' }, { ...claimOf('new'), tier: 'other' }],
    ['each prefix', claimOf('a:{new}:tier:fw000'), claimOf('b:{new}:tier:fw000')],
    ['each way of counting', claimOf('new'), claimOf('new', { ...fiveAnHour, window: '1d' })],
  ])('has one budget for %s', (_name, one, other) => {
    const { store } = fullOfDenied();

    const allowed = Array.from({ length: 100 }, () => [isAllowed(store, one), isAllowed(store, other)]);

    expect(allowed.filter(([first]) => first)).toHaveLength(5);
    expect(allowed.filter(([, second]) => second)).toHaveLength(5);
  });

  it('peeks at that budget, and refunds to it', () => {
    const { store } = fullOfDenied();
    const { receipts } = store.consume([{ ...claimOf('new'), cost: 4 }]);

    const left = [remaining(store, claimOf('newer')), remaining(store, claimOf('newer'))];
    const given = [store.refund(receipts), store.refund(receipts)];

    expect([left, given]).toEqual([
      [1, 1],
      [4, 0],
    ]);
    expect(remaining(store, claimOf('newer'))).toBe(5);
  });

  it('gives a key its own budget as soon as there is room', () => {
    const { store, clock } = fullOfDenied();
    store.consume([{ ...claimOf('new'), cost: 5 }]);

    clock.advance('1h');

    expect(store.consume([claimOf('new')]).outcomes).toMatchObject([{ allowed: true, remaining: 4 }]);
    expect(store.size).toBeLessThanOrEqual(16);
  });

  function fullOfDenied(): { store: MemoryStore; clock: FakeClock } {
    const clock = fakeClock();
    const store = memoryStore({ maxKeys: 16, clock });
    for (const each of claimsOf(16, 'denied')) store.consume([{ ...each, cost: 5 }]);
    return { store, clock };
  }
});

describe('memoryStore with room', () => {
  it('removes expired keys while others are used', () => {
    const clock = fakeClock();
    const store = memoryStore({ clock });
    for (const each of claimsOf(1_000, 'key', { algorithm: 'fixed-window', limit: 5, window: '1m' })) {
      store.consume([each]);
    }

    clock.advance('1m');
    for (let number = 0; number < 500; number += 1) store.consume([claimOf('the only one')]);

    expect(store.size).toBe(1);
  });
});
