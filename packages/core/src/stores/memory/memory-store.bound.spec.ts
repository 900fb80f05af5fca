import * as fc from 'fast-check';

import { definePolicy, type PolicyOptions } from '../../algorithms/policy-options.js';
import type { Claim } from '../../model/claim.js';
import { fakeClock } from '../../testing/clock.js';
import { SAMPLES } from '../../testing/suite/samples.js';
import { memoryStore, type MemoryStore } from './memory-store.js';

const MAX = 64;

describe('memoryStore at its bound', () => {
  it('never keeps more keys than it may, however many come', () => {
    const store = memoryStore({ maxKeys: MAX });

    let most = 0;
    for (let number = 0; number < 10 * MAX; number += 1) {
      store.consume([claimOf(`key ${number}`), claimOf(`other ${number}`)]);
      most = Math.max(most, store.size);
    }

    expect(most).toBe(MAX);
  });

  it.each(Object.entries(SAMPLES))('keeps denying what it denied before a flood (%s)', (_name, options) => {
    const store = memoryStore({ maxKeys: MAX, clock: fakeClock() });
    const denied = Array.from({ length: MAX - 1 }, (_, number) => claimOf(`denied ${number}`, options));
    for (const claim of denied) store.consume([{ ...claim, cost: 5 }]);

    for (let number = 0; number < 10 * MAX; number += 1) store.consume([claimOf(`flood ${number}`, options)]);

    expect(denied.filter((claim) => allowed(store, claim))).toEqual([]);
    expect(store.size).toBe(MAX);
  });

  it('makes room by what has much left before what has little', () => {
    const store = memoryStore({ maxKeys: 16, clock: fakeClock() });
    for (let number = 0; number < 16; number += 1)
      store.consume([claimOf(`used ${number}`, { limit: 2, window: '1h' })]);
    const rare = { limit: 1_000, window: '1h' } as const;

    // The first of them take the room of keys that are half full; those that follow find fuller ones as a rule.
    for (let number = 0; number < 1_000; number += 1) store.consume([claimOf(`flood ${number}`, rare)]);

    const left = Array.from({ length: 16 }, (_, number) =>
      remaining(store, claimOf(`used ${number}`, { limit: 2, window: '1h' })),
    );
    expect(left.filter((each) => each === 1).length).toBeGreaterThan(0);
  });

  it('gives no key up for one that is denied or only looked at', () => {
    const store = memoryStore({ maxKeys: 16, clock: fakeClock() });
    const claims = Array.from({ length: 16 }, (_, number) => claimOf(`key ${number}`));
    for (const claim of claims) store.consume([claim]);

    for (let number = 0; number < 100; number += 1) {
      store.peek([claimOf(`looked at ${number}`)]);
      store.consume([claimOf(`denied ${number}`), { ...claimOf(`never ${number}`), cost: 6 }]);
      store.consume([{ ...claimOf(`read ${number}`), cost: 0 }]);
    }

    expect(claims.map((claim) => remaining(store, claim))).toEqual(claims.map(() => 4));
  });

  it('gives no key up as long as there is room for those that are added', () => {
    const store = memoryStore({ maxKeys: 16, clock: fakeClock() });
    const claims = Array.from({ length: 15 }, (_, number) => claimOf(`key ${number}`));
    for (const claim of claims) store.consume([claim]);

    // The first, which would take the last room, does not fit and is not added.
    store.consume([{ ...claimOf('too large'), cost: 6, shadow: true }, claimOf('new')]);

    expect(store.size).toBe(16);
    expect(claims.map((claim) => remaining(store, claim))).toEqual(claims.map(() => 4));
  });

  it('adds no key for one that is denied or only looked at, where there is room', () => {
    const store = memoryStore({ maxKeys: 16 });

    store.peek([claimOf('looked at')]);
    store.consume([claimOf('denied'), { ...claimOf('never'), cost: 6 }]);
    store.consume([{ ...claimOf('read'), cost: 0 }]);

    expect(store.size).toBe(0);
  });

  it('never gives up a key for another of its own request', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.nat({ max: 200 }), { minLength: 2, maxLength: 6 }), { maxLength: 60 }),
        (requests) => {
          const store = memoryStore({ maxKeys: 16, clock: fakeClock() });
          for (const numbers of requests) {
            const group = [...new Set(numbers)].map((number) => ({
              ...claimOf(`key ${number}`, { limit: 1_000, window: '1h' }),
              tier: `${number}`,
            }));
            const { receipts } = store.consume(group);
            // None is denied here, so there is always a key to give up, if not always among the eight that are drawn.
            const own = receipts.filter(({ key }) => key.startsWith('key'));

            for (const { key, policy } of own)
              expect(remaining(store, { ...claimOf(key), policy })).toBeLessThan(1_000);
            expect(store.size).toBeLessThanOrEqual(16);
          }
        },
      ),
    );
  });
});

describe('the overflow of a tier', () => {
  it('counts and denies together the keys that there is no room for', () => {
    const { store } = fullOfDenied();

    const admitted = Array.from({ length: 100 }, (_, number) => allowed(store, claimOf(`new ${number}`)));

    expect(admitted).toEqual(admitted.map((_, number) => number < 5));
    expect(store.size).toBe(16);
  });

  it('is one for each tier', () => {
    const { store } = fullOfDenied();

    const one = store.consume([{ ...claimOf('new'), tier: 'one', cost: 3 }]);
    const other = store.consume([{ ...claimOf('new'), tier: 'other', cost: 3 }]);

    expect([one, other].map(({ outcomes }) => outcomes[0])).toMatchObject([
      { tier: 'one', allowed: true, remaining: 2 },
      { tier: 'other', allowed: true, remaining: 2 },
    ]);
  });

  it('is one for each prefix, whatever its numbers', () => {
    const { store } = fullOfDenied();
    const one = claimOf('a:{new}:tier:fw000', { algorithm: 'fixed-window', limit: 3, window: '1h' });
    const other = claimOf('b:{new}:tier:fw000', { algorithm: 'fixed-window', limit: 100, window: '1h' });

    const admitted = Array.from({ length: 100 }, () => [allowed(store, one), allowed(store, other)]);

    expect(admitted.filter(([first]) => first)).toHaveLength(3);
    expect(admitted.filter(([, second]) => second)).toHaveLength(100);
  });

  it('is one for all keys of a prefix', () => {
    const { store } = fullOfDenied();

    const admitted = Array.from({ length: 9 }, (_, number) => allowed(store, claimOf(`a:{${number}}:tier:fw000`)));

    expect(admitted.filter(Boolean)).toHaveLength(5);
  });

  it('is one for each way of counting', () => {
    const { store } = fullOfDenied();
    const short = claimOf('new', { algorithm: 'fixed-window', limit: 3, window: '1h' });
    const long = claimOf('new', { algorithm: 'fixed-window', limit: 3, window: '1d' });

    const admitted = Array.from({ length: 100 }, () => [allowed(store, short), allowed(store, long)]);

    expect(admitted.filter(([first]) => first)).toHaveLength(3);
    expect(admitted.filter(([, second]) => second)).toHaveLength(3);
  });

  it('is what peek answers from', () => {
    const { store } = fullOfDenied();
    store.consume([{ ...claimOf('new'), cost: 4 }]);

    expect(remaining(store, claimOf('newer'))).toBe(1);
    expect(remaining(store, claimOf('newer'))).toBe(1);
  });

  it('is given back what was counted in it', () => {
    const { store } = fullOfDenied();
    const { receipts } = store.consume([{ ...claimOf('new'), cost: 4 }]);

    const given = [store.refund(receipts), store.refund(receipts)];

    expect(given).toEqual([4, 0]);
    expect(remaining(store, claimOf('newer'))).toBe(5);
  });

  it('is left as soon as there is room', () => {
    const { store, clock } = fullOfDenied();
    store.consume([{ ...claimOf('new'), cost: 5 }]);

    clock.advance('1h');
    const outcome = store.consume([claimOf('new')]).outcomes[0];

    expect(outcome).toMatchObject({ allowed: true, remaining: 4 });
    expect(store.size).toBeLessThanOrEqual(16);
  });

  function fullOfDenied(): { store: MemoryStore; clock: ReturnType<typeof fakeClock> } {
    const clock = fakeClock();
    const store = memoryStore({ maxKeys: 16, clock });
    for (let number = 0; number < 16; number += 1) store.consume([{ ...claimOf(`denied ${number}`), cost: 5 }]);
    return { store, clock };
  }
});

describe('expired keys', () => {
  it('make room before any that lives, exactly', () => {
    const key = fc.record({
      minutes: fc.integer({ min: 1, max: 30 }),
      bucket: fc.boolean(),
      again: fc.boolean(),
      refunded: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.array(key, { minLength: 16, maxLength: 16 }),
        fc.integer({ min: 0, max: 30 }),
        fc.boolean(),
        (keys, minutes, together) => {
          const clock = fakeClock();
          const store = memoryStore({ maxKeys: 16, clock });
          const claims = keys.map(({ bucket, minutes: window }, number) =>
            claimOf(`key ${number}`, {
              algorithm: bucket ? 'token-bucket' : 'fixed-window',
              limit: 5,
              window: `${window}m`,
            }),
          );
          for (const claim of claims) store.consume([claim]);
          const receipts = claims.map((claim) => store.consume([{ ...claim, cost: 2 }]).receipts);
          clock.advance('30s');
          for (const [number, { again, refunded }] of keys.entries()) {
            if (again) store.consume([claims[number]!]);
            if (refunded) store.refund(receipts[number]!);
          }
          clock.advance(minutes * 60_000);
          const living = claims.filter((claim) => store.peek([claim]).outcomes[0]!.resetAfter > 0);

          const group = Array.from({ length: 16 - living.length }, (_, number) => claimOf(`new ${number}`));
          if (together) store.consume(group);
          else for (const claim of group) store.consume([claim]);

          expect(store.size).toBe(16);
          expect(living.every((claim) => store.peek([claim]).outcomes[0]!.resetAfter > 0)).toBe(true);
          expect(group.map((claim) => remaining(store, claim))).toEqual(group.map(() => 4));
        },
      ),
    );
  });

  it('are cleared away as others are used, so that memory shrinks to what lives', () => {
    const clock = fakeClock();
    const store = memoryStore({ clock });
    for (let number = 0; number < 1_000; number += 1)
      store.consume([claimOf(`key ${number}`, { algorithm: 'fixed-window', limit: 5, window: '1m' })]);

    clock.advance('1m');
    for (let number = 0; number < 500; number += 1) store.consume([claimOf('the only one')]);

    expect(store.size).toBe(1);
  });
});

function claimOf(key: string, options: PolicyOptions = { algorithm: 'fixed-window', limit: 5, window: '1h' }): Claim {
  return {
    tier: 'tier',
    key,
    policy: definePolicy(options),
    cost: 1,
    shadow: false,
    countDenied: false,
    record: undefined,
  };
}

function allowed(store: MemoryStore, claim: Claim): boolean {
  return store.consume([claim]).outcomes[0]!.allowed;
}

function remaining(store: MemoryStore, claim: Claim): number {
  return store.peek([claim]).outcomes[0]!.remaining;
}
