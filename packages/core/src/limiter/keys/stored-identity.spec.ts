import { inspect } from 'node:util';

import { KeyedIdentity } from './stored-identity.js';
import { identityText, type KeyParts, StoreKeys } from './store-keys.js';

const PARTS = { prefix: 'rl', secret: undefined, tier: 'ip-burst', shape: 'sws-g' };
const COPY = { kind: 'ip', parts: ['192.0.2.1'] };

describe('KeyedIdentity', () => {
  it('has the store key of its copy in each of several tiers, whichever used it last', () => {
    const tiers = ['minute', 'hour', 'minute'].map((tier) => new StoreKeys({ ...PARTS, tier }));
    const shared = new KeyedIdentity('ip', '192.0.2.1');

    for (let round = 0; round < 3; round += 1) {
      expect(tiers.map((keys) => keys.keyOf(shared))).toEqual(tiers.map((keys) => keys.keyOf(COPY)));
    }
  });

  it('has the store key of its copy in more tiers than it remembers, whatever their secrets are', () => {
    const tiers = Array.from({ length: 20 }, (_, index) => {
      const secret = [undefined, 'pepper', 'salt'][index % 3];
      return new StoreKeys({ ...PARTS, tier: `tier:${index % 12}`, secret, prefix: `p${index % 2}` });
    });
    const shared = new KeyedIdentity('ip', '192.0.2.1');

    for (let round = 0; round < 3; round += 1) {
      expect(tiers.map((keys) => keys.keyOf(shared))).toEqual(tiers.map((keys) => keys.keyOf(COPY)));
    }
  });

  it('makes one digest for all tiers with a secret', () => {
    const tiers = ['minute', 'hour', 'day'].map((tier) => new StoreKeys({ ...PARTS, tier, secret: 'pepper' }));
    const made = jest.spyOn(String.prototype, 'isWellFormed');

    for (const keys of tiers) keys.keyOf(new KeyedIdentity('ip', '192.0.2.1'));
    const apart = made.mock.calls.length;
    const shared = new KeyedIdentity('ip', '192.0.2.1');
    for (const keys of tiers) keys.keyOf(shared);

    expect([apart, made.mock.calls.length - apart]).toEqual([3, 1]);
    made.mockRestore();
  });

  it('remembers a slot for each of eight tiers, the newest ones', () => {
    const tiers = Array.from({ length: 9 }, (_, tier) => new StoreKeys({ ...PARTS, tier: `tier:${tier}` }));
    const shared = new KeyedIdentity<KeyParts>('ip', '192.0.2.1');

    for (const [slot, keys] of tiers.entries()) keys.storedKeyIn(shared).slot = slot;

    // The second one made room for the ninth.
    const remembered = tiers.filter((_, index) => index !== 1);
    expect(remembered.map((keys) => keys.storedKeyIn(shared).slot)).toEqual([0, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('shows no owner, because applications log identities', () => {
    const keys = new StoreKeys({ ...PARTS, secret: 'pepper' });
    const shared = new KeyedIdentity('ip', '192.0.2.1');
    keys.keyOf(shared);

    expect(
      JSON.stringify([shared, Object.entries(shared)]) + inspect(shared, { depth: 9, showHidden: true }),
    ).not.toContain('pepper');
  });

  it('has the store key of its partition, although it remembers another one', () => {
    const keys = new StoreKeys(PARTS);
    const shared = new KeyedIdentity('ip', '192.0.2.1');
    const alone = keys.keyOf(shared);

    for (const partition of ['acme', 'apex'].map((each) => identityText(each))) {
      expect(keys.keyOf(shared, partition)).toBe(keys.keyOf(COPY, partition));
    }
    expect(keys.keyOf(shared)).toBe(alone);
  });

  it('cannot be changed by the application that gets it', () => {
    const shared = new KeyedIdentity('ip', '192.0.2.1');

    expect(() => Object.assign(shared, { kind: 'other' })).toThrow(TypeError);
    expect(() => (shared.parts as string[]).push('more')).toThrow(TypeError);
    expect(JSON.stringify(shared)).toBe(JSON.stringify(COPY));
  });
});
