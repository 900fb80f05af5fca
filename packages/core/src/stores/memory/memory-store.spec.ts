import * as fc from 'fast-check';

import type { PolicyOptions } from '../../algorithms/named/policy-options.js';
import { StoreError } from '../../model/errors.js';
import { fakeClock } from '../../../../testing/src/clock.js';
import { claim as makeClaim } from '../../../../../test/support/claim.js';
import { storeSuite } from '../../../../testing/src/store-suite.js';
import { memoryStore } from './memory-store.js';

const DAY_MS = 86_400_000;

const claimOf = (key: string, policy: PolicyOptions = { limit: 5, window: '1h' }) =>
  makeClaim({ tier: 'tier', key, policy });

describe('memoryStore', () => {
  storeSuite({ describe, it }, () => memoryStore());

  it('answers without a promise', () => {
    const store = memoryStore();

    const answer = store.consume([claimOf('key')]);
    const values = [
      answer,
      store.peek([claimOf('key')]),
      store.refund(answer.receipts),
      store.recorded('key'),
      store.reset(['key']),
      store.close(),
    ];

    expect(values.some((value) => value instanceof Promise)).toBe(false);
    expect(answer.source).toBe('memory');
  });

  it('holds no timer or handle', () => {
    const before = process.getActiveResourcesInfo();

    const store = memoryStore();
    for (let number = 0; number < 100; number += 1) store.consume([claimOf(`key ${number}`)]);

    expect(process.getActiveResourcesInfo()).toEqual(before);
  });

  it('stores a new key once if two claims of a request have it', () => {
    const store = memoryStore();
    const claim = claimOf('key', { algorithm: 'fixed-window', limit: 5, window: '1h' });

    store.consume([claim, claim]);

    expect(store.size).toBe(1);
  });

  it('reads its clock once per call', () => {
    let readings = 0;
    const store = memoryStore({ clock: () => 1e12 + (readings += 1) });
    const group = Array.from({ length: 5 }, (_, number) => claimOf(`key ${number}`));
    readings = 0;

    const { receipts } = store.consume(group);
    store.peek(group);
    store.refund(receipts);
    store.recorded('key 0');

    expect(readings).toBe(4);
    expect(new Set(receipts.map(({ at }) => at)).size).toBe(1);
  });

  it.each([
    ['its own clock', {}],
    ['Date.now', { clock: Date.now }],
  ])('counts microseconds since 1970 by %s', (_name, options) => {
    const before = Date.now();

    const { receipts } = memoryStore(options).consume([claimOf('key')]);

    expect(Number.isInteger(receipts[0]!.at)).toBe(true);
    expect(Math.abs(receipts[0]!.at / 1e3 - before)).toBeLessThan(5_000);
  });

  it('rounds fractions of milliseconds to microseconds', () => {
    const moments = fc.integer({ min: 0, max: Date.UTC(2060, 0, 1) * 1e3 });
    fc.assert(
      fc.property(moments, (microseconds) => {
        const store = memoryStore({ clock: () => microseconds / 1e3 });

        const { receipts } = store.consume([claimOf('key', { algorithm: 'fixed-window', limit: 1, window: '1s' })]);

        expect(receipts[0]!.at).toBe(microseconds);
      }),
      // Times 1000 that is 1004.9999999999999.
      { examples: [[1_005]] },
    );
  });

  it('holds no key after close', () => {
    const store = memoryStore();
    store.consume([claimOf('key')]);

    store.close();

    expect(store.size).toBe(0);
    expect(() => store.consume([claimOf('key')])).toThrow(StoreError);
  });

  it('begins a new count when the policy of a key counts in another way', () => {
    const store = memoryStore();
    store.consume([claimOf('key', { algorithm: 'sliding-window-log', limit: 1, window: '1h' })]);

    const { outcomes } = store.consume([claimOf('key', { algorithm: 'token-bucket', limit: 1, window: '1h' })]);

    expect(outcomes[0]!.allowed).toBe(true);
  });

  it('holds one state for a key that a request names twice', () => {
    const store = memoryStore();

    store.consume([claimOf('key'), claimOf('key')]);
    store.reset(['key']);

    expect(store.size).toBe(0);
    expect(store.peek([claimOf('key')]).outcomes[0]!.remaining).toBe(5);
  });

  it('changes nothing when a refund gives nothing back, even if the clock has stepped back', () => {
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

  it('removes a key at its new end when the clock has stepped back', () => {
    const clock = fakeClock();
    const store = memoryStore({ clock });
    const known = claimOf('known', { algorithm: 'fixed-window', limit: 5, window: '1h' });
    store.consume([known]);
    clock.step(-10 * DAY_MS);
    store.consume([known]);

    clock.step(2 * 3_600_000);
    store.consume([claimOf('other')]);

    expect(store.size).toBe(1);
  });

  it('drops texts when their key expires', () => {
    const clock = fakeClock();
    const store = memoryStore({ clock });
    const claim = { ...claimOf('key', { algorithm: 'fixed-window', limit: 5, window: '1m' }), record: 'old' };
    store.consume([claim]);

    clock.advance('1m');
    const expired = store.recorded('key');
    store.consume([{ ...claim, record: 'new' }]);

    expect(expired).toEqual([]);
    expect(store.recorded('key')).toEqual(['new']);
  });
});
