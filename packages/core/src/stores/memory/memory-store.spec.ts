import * as fc from 'fast-check';

import { definePolicy, type PolicyOptions } from '../../algorithms/policy-options.js';
import { ConfigError, StoreError } from '../../model/errors.js';
import type { Claim } from '../../model/claim.js';
import { fakeClock } from '../../testing/clock.js';
import { storeSuite } from '../../testing/store-suite.js';
import { SAMPLES } from '../../testing/suite/samples.js';
import { memoryStore } from './memory-store.js';

const MICROSECOND = 0.001;

describe('memoryStore', () => {
  storeSuite({ describe, it }, () => memoryStore());

  it('answers at once, without a promise', () => {
    const store = memoryStore();

    const answer = store.consume([claimOf('key')]);
    const values = [
      answer,
      store.peek([claimOf('key')]),
      store.refund(answer.receipts),
      store.inspect('key'),
      store.reset(['key']),
      store.close(),
    ];

    expect(values.some((value) => value instanceof Promise)).toBe(false);
    expect(answer.source).toBe('memory');
  });

  it('leaves no timer or handle behind', () => {
    const before = process.getActiveResourcesInfo();

    const store = memoryStore();
    for (let number = 0; number < 100; number += 1) store.consume([claimOf(`key ${number}`)]);

    expect(process.getActiveResourcesInfo()).toEqual(before);
  });

  it('reads its clock once a call', () => {
    let readings = 0;
    const store = memoryStore({ clock: () => 1e12 + (readings += 1) });
    const group = Array.from({ length: 5 }, (_, number) => claimOf(`key ${number}`));
    readings = 0;

    const { receipts } = store.consume(group);
    store.peek(group);
    store.refund(receipts);
    store.inspect('key 0');

    expect(readings).toBe(4);
    expect(new Set(receipts.map(({ at }) => at)).size).toBe(1);
  });

  it('tells the time since 1970 by default, to the microsecond', () => {
    const { receipts } = memoryStore().consume([
      claimOf('key', { algorithm: 'sliding-window-log', limit: 1, window: '1s' }),
    ]);

    expect(Math.abs(receipts[0]!.at / 1e3 - Date.now())).toBeLessThan(5_000);
    expect(receipts[0]!.at).toBe(Math.floor(receipts[0]!.at));
  });

  it('takes the clock of the platform, and counts its milliseconds', () => {
    const before = Date.now();
    const { receipts } = memoryStore({ clock: Date.now }).consume([
      claimOf('key', { algorithm: 'sliding-window-log', limit: 1, window: '1s' }),
    ]);

    expect(receipts[0]!.at).toBeGreaterThanOrEqual(before * 1e3);
    expect(receipts[0]!.at).toBeLessThan(before * 1e3 + 5e6);
  });

  it('counts whole microseconds, whatever fractions of milliseconds a clock has', () => {
    const moments = fc.integer({ min: 0, max: Date.UTC(2060, 0, 1) * 1e3 });
    fc.assert(
      fc.property(moments, (microseconds) => {
        const store = memoryStore({ clock: () => microseconds / 1e3 });

        const { receipts } = store.consume([claimOf('key', { algorithm: 'fixed-window', limit: 1, window: '1s' })]);

        expect(receipts[0]!.at).toBe(microseconds);
      }),
    );
  });

  it('floors no microsecond away that a fraction has not quite', () => {
    // Times 1000 that is 1004.9999999999999.
    const store = memoryStore({ clock: () => 1.005 });

    const { receipts } = store.consume([claimOf('key', { algorithm: 'fixed-window', limit: 1, window: '1s' })]);

    expect(receipts[0]!.at).toBe(1_005);
  });

  it('forgets everything when it is closed', () => {
    const store = memoryStore();
    store.consume([claimOf('key')]);

    store.close();

    expect(store.size).toBe(0);
    expect(() => store.consume([claimOf('key')])).toThrow(StoreError);
  });

  it.each([
    [{ maxKeys: 15 }, 'OPTION_INVALID', 'maxKeys must be an integer from 16 to 16777216, got 15'],
    [{ maxKeys: 99.5 }, 'OPTION_INVALID', 'got 99.5'],
    [{ clock: 5 }, 'OPTION_INVALID', 'clock must be a function, got 5'],
    [{ clock: () => Number.NaN }, 'OPTION_INVALID', 'clock must return milliseconds since 1970 and returned NaN'],
    [{ clock: () => Number.POSITIVE_INFINITY }, 'OPTION_INVALID', 'returned Infinity'],
    [{ clock: () => undefined }, 'OPTION_INVALID', 'returned undefined'],
    [{ clock: () => new Date() }, 'OPTION_INVALID', 'returned an object'],
    [{ clock: () => Date.now() * 1e6 }, 'OPTION_INVALID', 'clock must return milliseconds since 1970 and returned'],
    [{ maxkeys: 100 }, 'OPTION_UNKNOWN', 'did you mean maxKeys?'],
  ])('refuses %j', (options, code, message) => {
    const make = (): unknown => memoryStore(options as object);

    expect(make).toThrow(ConfigError);
    expect(make).toThrow(expect.objectContaining({ code, message: expect.stringContaining(message) }));
  });

  it('starts a new count under a key whose policy counts in another way', () => {
    const store = memoryStore();
    store.consume([claimOf('key', { algorithm: 'sliding-window-log', limit: 1, window: '1h' })]);

    const { outcomes } = store.consume([claimOf('key', { algorithm: 'token-bucket', limit: 1, window: '1h' })]);

    expect(outcomes[0]!.allowed).toBe(true);
  });

  it('keeps one state of a key that a request asks for twice', () => {
    const store = memoryStore();

    store.consume([claimOf('key'), claimOf('key')]);
    store.reset(['key']);

    expect(store.size).toBe(0);
    expect(store.peek([claimOf('key')]).outcomes[0]!.remaining).toBe(5);
  });

  it('changes nothing by a refund that gives nothing, though the state is dated later than its clock', () => {
    const clock = fakeClock();
    const store = memoryStore({ clock });
    const claim = claimOf('key', { algorithm: 'sliding-window-log', limit: 5, window: '1h' });
    const { receipts } = store.consume([claim]);

    clock.step(-1_000);
    const given = store.refund(receipts);
    clock.step(1_000);

    expect(given).toBe(0);
    expect(store.peek([claim]).outcomes[0]!.remaining).toBe(4);
  });

  it('forgets texts when their key expires', () => {
    const clock = fakeClock();
    const store = memoryStore({ clock });
    const claim = { ...claimOf('key', { algorithm: 'fixed-window', limit: 5, window: '1m' }), record: 'old' };
    store.consume([claim]);

    clock.advance('1m');
    const expired = store.inspect('key');
    store.consume([{ ...claim, record: 'new' }]);

    expect(expired).toEqual([]);
    expect(store.inspect('key')).toEqual(['new']);
  });
});

describe.each(Object.entries(SAMPLES))('retryAfter of %s', (_name, options) => {
  // Starts, pauses and windows are such that all waits are whole milliseconds, the unit in which they are told.
  const steps = fc.array(
    fc.record({ pause: fc.integer({ min: 0, max: 4_000 }), cost: fc.integer({ min: 1, max: 3 }) }),
    {
      minLength: 4,
      maxLength: 30,
    },
  );

  it('is exact: denied a microsecond before, admitted then', () => {
    const policy = definePolicy(options);
    fc.assert(
      fc.property(steps, (each) => {
        const clock = fakeClock();
        const store = memoryStore({ clock });
        for (const { pause, cost } of each) {
          clock.advance(pause * 1_000);
          const claim = { ...claimOf('key'), policy, cost };
          const { allowed, retryAfter } = store.consume([claim]).outcomes[0]!;
          if (allowed) continue;
          // Of seven units a day none takes whole milliseconds.
          const early = policy.limit === 7 ? 1 : MICROSECOND;

          clock.advance(retryAfter - early);
          expect(store.consume([claim]).outcomes[0]!.allowed).toBe(false);
          clock.advance(early);
          expect(store.consume([claim]).outcomes[0]!.allowed).toBe(true);
        }
      }),
    );
  });
});

function claimOf(key: string, options: PolicyOptions = { limit: 5, window: '1h' }): Claim {
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
