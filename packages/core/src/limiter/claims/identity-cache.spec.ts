import * as fc from 'fast-check';
import { identityText, type Key } from '../../model/identity.js';
import { IdentityCache } from './identity-cache.js';

// Few, so that identities are alike in part.
const text = fc.constantFrom('', 'a', 'b', 'ab', '1:a');
const kind = fc.constantFrom('ip', 'key', 'i');
const keys: fc.Arbitrary<Key> = fc.oneof(
  text.filter((each) => each !== ''),
  fc.record({ kind, parts: fc.array(text, { minLength: 1, maxLength: 3 }) }),
  fc.record({ kind: fc.constant('key'), parts: fc.tuple(text) }),
);

describe('what is remembered of identities', () => {
  it('is found by equal identities, and by no others', () => {
    fc.assert(
      fc.property(fc.array(keys, { minLength: 1, maxLength: 60 }), (all) => {
        const cache = new IdentityCache<string>(1_000);
        for (const key of all) cache.set(key, identityText(key));

        // An identity of a kind may have been remembered before there were too many kinds: then it is made anew.
        for (const key of all) expect([identityText(key), undefined]).toContain(cache.get(key));
      }),
    );
  });

  it('is found again as long as there are few kinds', () => {
    const cache = new IdentityCache<number>(8);
    cache.set('ada', 1);
    cache.set({ kind: 'ip', parts: ['ada'] }, 2);
    cache.set({ kind: 'pair', parts: ['a', 'da'] }, 3);

    expect(cache.get({ kind: 'key', parts: ['ada'] })).toBe(1);
    expect(cache.get({ kind: 'ip', parts: ['ada'] })).toBe(2);
    expect(cache.get({ kind: 'pair', parts: ['a', 'da'] })).toBe(3);
    expect(cache.get({ kind: 'pair', parts: ['ad', 'a'] })).toBeUndefined();
  });

  it('is nothing of long texts', () => {
    const cache = new IdentityCache<number>(4);

    cache.set('x'.repeat(256), 1);
    cache.set('x'.repeat(257), 2);

    expect([cache.get('x'.repeat(256)), cache.get('x'.repeat(257))]).toEqual([1, undefined]);
  });

  it('takes no more room when clients choose what identities begin with', () => {
    const cache = new IdentityCache<number>(4);
    const pair = (tenant: number) => ({ kind: 'pair', parts: [`tenant-${tenant}`, 'x'] });

    for (let tenant = 0; tenant < 1_000; tenant += 1) cache.set(pair(tenant), tenant);

    const found = Array.from({ length: 1_000 }, (_, tenant) => cache.get(pair(tenant)));
    expect(found.filter((each) => each !== undefined).length).toBeLessThan(7);
    expect([found[0], found[1], found.at(-1)]).toEqual([0, 1, 999]);
  });

  it('takes no more room when kinds are made up', () => {
    const cache = new IdentityCache<number>(4);

    for (let kindOf = 0; kindOf < 1_000; kindOf += 1) cache.set({ kind: `kind-${kindOf}`, parts: ['x'] }, kindOf);

    const found = Array.from({ length: 1_000 }, (_, kindOf) => cache.get({ kind: `kind-${kindOf}`, parts: ['x'] }));
    expect(found.filter((each) => each !== undefined).length).toBeLessThan(25);
    expect(found.at(-1)).toBe(999);
  });
});
