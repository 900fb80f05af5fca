import { createHash, createHmac } from 'node:crypto';

import * as fc from 'fast-check';

import { definePolicy, type PolicyOptions } from '../../algorithms/policy-options.js';
import type { Key } from '../../model/identity.js';
import { digestOf, keyShape, StoreKeys } from './store-keys.js';

const shape = keyShape(definePolicy({ limit: 5, window: '1m' }));

const PARTS = { prefix: 'rl', secret: undefined, tier: 'ip-burst', shape };

const HOSTILE: [string, Key][] = [
  ['braces', '}{tag}{'],
  ['a colon', 'rl:{other}:tier'],
  ['a NUL', 'a\0b'],
  ['a line break', 'a\r\nSET x 1\r\n'],
  ['10 kB', 'k'.repeat(10_000)],
  ['the name of a prototype', '__proto__'],
  ['an emoji', '👩🏽‍🚀'],
  ['half of a surrogate pair', '\ud83d'],
  ['a glob', '*?[a]'],
  ['nothing in a part', { kind: 'ip', parts: [''] }],
  ['a thousand parts', { kind: 'ip', parts: Array.from({ length: 1_000 }, String) }],
];

describe('a key', () => {
  // UTF-8 has no halves of surrogate pairs: written in it, all of them would be one identity.
  it.each([
    ['another half of a surrogate pair', '\ud800', '\udfff'],
    ['half of a pair and what stands for one', '\ud800', '\ufffd'],
  ])('tells apart %s', (_difference, one, other) => {
    expect(keyOf(one)).not.toBe(keyOf(other));
  });

  it('is <prefix>:{<tag>}:<tier>:<shape>, and the same for ever', () => {
    expect(keyOf('ada')).toBe(`rl:{${sha256('3:key3:ada')}}:ip-burst:${shape}`);
    expect(keyOf('ada')).toBe('rl:{m8eSacC8K6KEPrCx6LGhzs}:ip-burst:sws-g');
    expect(keyOf({ kind: 'ip', parts: ['192.0.2.1'] })).toBe(`rl:{${sha256('2:ip9:192.0.2.1')}}:ip-burst:${shape}`);
  });

  it('has 42 characters by default, give or take the length of the name', () => {
    expect(keyOf('ada')).toHaveLength(42);
    expect(new StoreKeys({ ...PARTS, tier: 'default' }).keyOf('ada')).toHaveLength(41);
  });

  it.each(HOSTILE)('of an identity with %s looks like any other', (_what, identity) => {
    expect(keyOf(identity)).toMatch(/^rl:\{[\w-]{22}\}:ip-burst:sw[\w-]{3}$/);
  });

  it('holds nothing of the identity', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 6 }), (identity) => {
        expect(keyOf(identity)).not.toContain(identity);
      }),
    );
  });

  it('differs for every identity', () => {
    const identity = fc.record({ kind: fc.string(), parts: fc.array(fc.string(), { minLength: 1 }) });
    fc.assert(
      fc.property(identity, identity, (one, other) => {
        const equal = JSON.stringify(one) === JSON.stringify(other);

        expect(keyOf(one) === keyOf(other)).toBe(equal);
      }),
    );
    expect(new Set(HOSTILE.map(([, each]) => keyOf(each))).size).toBe(HOSTILE.length);
  });

  it('is made with HMAC-SHA-256 where there is a secret, so that nobody without it can guess', () => {
    const [plain, one, other] = [undefined, 'pepper', 'salt'].map((secret) => digestOf('ada', secret));
    const digest = createHmac('sha256', 'pepper').update('3:key3:ada').digest('base64url').slice(0, 22);

    expect(one).toBe(digest);
    expect(new Set([plain, one, other]).size).toBe(3);
  });

  it.each([undefined, 'acme'])(
    'is the same from the cache, and never that of a text that looks like the identity',
    (tag) => {
      const keys = new StoreKeys(PARTS);
      const identities: Key[] = [...HOSTILE.map(([, identity]) => identity), { kind: 'ip', parts: ['a'] }, '2:ip1:a'];

      const first = identities.map((each) => keys.keyOf(each, tag));

      expect(identities.map((each) => keys.keyOf(each, tag))).toEqual(first);
      expect(first).toEqual(identities.map((each) => new StoreKeys(PARTS).keyOf(each, tag)));
      expect(new Set(first).size).toBe(first.length);
    },
  );

  it('separates partition and identity, whatever is in them', () => {
    const keys = new StoreKeys(PARTS);
    const pairs: [Key, Key][] = [
      [
        { kind: 'a', parts: ['b'] },
        { kind: 'c', parts: ['d', 'e'] },
      ],
      [
        { kind: 'a', parts: ['b', 'c', 'd'] },
        { kind: 'e', parts: [''] },
      ],
      ['a', '/1:a'],
      ['a/1:a', 'a'],
    ];

    expect(new Set(pairs.map(([partition, identity]) => keys.keyOf(identity, partition))).size).toBe(pairs.length);
  });

  it('has the partition as its tag, and the identity after it', () => {
    const key = new StoreKeys({ ...PARTS, prefix: 'app' }).keyOf('ada', 'acme');

    expect(key).toBe(`app:{${sha256('3:key4:acme')}}:${sha256('3:key3:ada')}:ip-burst:${shape}`);
  });
});

describe('the shape of a key', () => {
  it.each<[string, PolicyOptions]>([
    ['fw', { algorithm: 'fixed-window', limit: 5, window: '1m' }],
    ['sw', { limit: 5, window: '1m' }],
    ['sl', { algorithm: 'sliding-window-log', limit: 5, window: '1m' }],
    ['tb', { algorithm: 'token-bucket', limit: 5, window: '1m' }],
    ['tb', { algorithm: 'gcra', limit: 5, window: '1m' }],
    ['lb', { algorithm: 'leaky-bucket', limit: 5, window: '1m' }],
    [
      'mw',
      {
        algorithm: 'multi-window',
        windows: [
          { limit: 5, window: '1m' },
          { limit: 9, window: '2m' },
        ],
      },
    ],
  ])('is %s and three characters for %j', (code, options) => {
    expect(keyShape(definePolicy(options))).toMatch(new RegExp(`^${code}[\\w-]{3}$`));
  });

  it.each<[string, PolicyOptions]>([
    ['algorithm', { algorithm: 'sliding-window-log', limit: 5, window: '1m' }],
    ['window', { limit: 5, window: '2m' }],
    ['precision', { limit: 5, window: '1m', precision: 2 }],
    ['strict', { limit: 5, window: '1m', precision: 50, strict: true }],
  ])('is another one for another %s: a new count starts', (_what, options) => {
    const changed = keyShape(definePolicy(options));

    expect(changed).not.toBe(shape);
    expect(changed).not.toBe(keyShape(definePolicy({ limit: 5, window: '1m', precision: 50 })));
  });

  it('is another one for another anchor, and for other windows', () => {
    const [first, clock] = (['first', 'clock'] as const).map((anchor) =>
      keyShape(definePolicy({ algorithm: 'fixed-window', limit: 5, window: '1m', anchor })),
    );
    const [two, three] = (['2m', '3m'] as const).map((window) =>
      keyShape(
        definePolicy({
          algorithm: 'multi-window',
          windows: [
            { limit: 5, window: '1m' },
            { limit: 9, window },
          ],
        }),
      ),
    );

    expect(first).not.toBe(clock);
    expect(two).not.toBe(three);
  });

  it.each<[string, PolicyOptions, PolicyOptions]>([
    ['limit', { limit: 5, window: '1m' }, { limit: 500, window: '60s' }],
    ['burst', bucket({ burst: 5 }), bucket({ burst: 9 })],
    ['queue', bucket({ queue: 5 }), bucket({ queue: 9 })],
  ])('is the same for another %s: the count goes on', (_what, one, other) => {
    expect(keyShape(definePolicy(one))).toBe(keyShape(definePolicy(other)));
  });
});

function keyOf(identity: Key): string {
  return new StoreKeys(PARTS).keyOf(identity);
}

/** The first 22 characters, as `openssl dgst -sha256` and base64url have them. */
function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

function bucket(size: { burst: number } | { queue: number }): PolicyOptions {
  return { algorithm: 'leaky-bucket', limit: 5, window: '1m', ...size };
}
