import { createHash, createHmac } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import * as fc from 'fast-check';

import { definePolicy, type PolicyOptions } from '../../algorithms/named/policy-options.js';
import type { Key } from '../../model/identity.js';
import { digestOf, identityText, keyShape, StoreKeys } from './store-keys.js';

const shape = keyShape(definePolicy({ limit: 5, window: '1m' }));
const PARTS = { prefix: 'rl', secret: undefined, tier: 'ip-burst', shape };

const HOSTILE: Key[] = [
  '}{tag}{',
  'rl:{other}:tier',
  'a\0b',
  'a\r\nSET x 1\r\n',
  'k'.repeat(10_000),
  '__proto__',
  '👩🏽‍🚀',
  // UTF-8 has no lone surrogates: encoded, all of them and U+FFFD would be one identity.
  '\ud83d',
  '\ud800',
  '\udfff',
  '\ufffd',
  '*?[a]',
  { kind: 'ip', parts: [''] },
  { kind: 'ip', parts: Array.from({ length: 1_000 }, String) },
  // The first is the text of the second.
  '2:ip1:a',
  { kind: 'ip', parts: ['a'] },
];

describe('StoreKeys', () => {
  it('makes <prefix>:{<tag>}:<tier>:<shape>, 42 characters that never change', () => {
    expect(keyOf('ada')).toBe('rl:{m8eSacC8K6KEPrCx6LGhzs}:ip-burst:swwvU');
    expect(keyOf('ada')).toBe(`rl:{${sha256('3:key3:ada')}}:ip-burst:${shape}`);
    expect(keyOf({ kind: 'ip', parts: ['192.0.2.1'] })).toBe(`rl:{${sha256('2:ip9:192.0.2.1')}}:ip-burst:${shape}`);
  });

  it('uses the partition as the tag, and the identity after it', () => {
    const key = new StoreKeys({ ...PARTS, prefix: 'app' }).keyOf('ada', identityText('acme'));

    expect(key).toBe(`app:{${sha256('3:key4:acme')}}:${sha256('3:key3:ada')}:ip-burst:${shape}`);
  });

  it('depends on the secret, in the identity and in the partition', () => {
    const keys = new StoreKeys({ ...PARTS, secret: 'pepper' });

    const [ada, acme] = ['3:key3:ada', '3:key4:acme'].map((text) => digestOf(text, 'pepper'));
    expect(keys.keyOf('ada')).toBe(`rl:{${ada}}:ip-burst:${shape}`);
    expect(keys.keyOf('ada', '3:key4:acme')).toBe(`rl:{${acme}}:${ada}:ip-burst:${shape}`);
  });

  it.each([undefined, 'acme'])('makes one key of the usual form for each hostile identity, cached or not', (tag) => {
    const keys = new StoreKeys(PARTS);

    const made = HOSTILE.map((each) => keys.keyOf(each, tag && identityText(tag)));

    expect(new Set(made).size).toBe(HOSTILE.length);
    for (const key of made) expect(key).toMatch(/^rl:\{[\w-]{22}\}(:[\w-]{22})?:ip-burst:sw[\w-]{3}$/);
    expect(HOSTILE.map((each) => keys.keyOf(each, tag && identityText(tag)))).toEqual(made);
    expect(HOSTILE.map((each) => new StoreKeys(PARTS).keyOf(each, tag && identityText(tag)))).toEqual(made);
  });

  it('makes equal keys for equal identities only', () => {
    // Few texts, so that identities have parts in common.
    const text = fc.oneof(fc.constantFrom('', 'a', 'b', 'ab', '1:a', '\ud800', '\ud801'), fc.string());
    const kind = fc.oneof(fc.constantFrom('ip', 'key', 'ip1:a'), fc.string({ minLength: 1 }));
    const identity = fc.record({ kind, parts: fc.array(text, { minLength: 1, maxLength: 3 }) });
    const keys = new StoreKeys(PARTS);
    fc.assert(
      fc.property(identity, identity, (one, other) => {
        const isEqual = JSON.stringify(one) === JSON.stringify(other);

        expect(keys.keyOf(one) === keys.keyOf(other)).toBe(isEqual);
        // The first identity of a tier decides how the others are looked up.
        const fresh = new StoreKeys(PARTS);
        expect([fresh.keyOf(one), fresh.keyOf(one)]).toEqual([keys.keyOf(one), keys.keyOf(one)]);
        expect(fresh.keyOf(one) === fresh.keyOf(other)).toBe(isEqual);
        expect(keys.keyOf('ada', identityText(one)) === keys.keyOf('ada', identityText(other))).toBe(isEqual);
      }),
      { numRuns: 1_000 },
    );
  });

  const noTexts = ['', undefined, null, 1.5, NaN, 2 ** 53, true, Symbol('key'), ['ada'], {}, () => 'ada'];
  const noKinds = [{ kind: 'ip' }, { kind: '', parts: ['a'] }, { kind: 5, parts: ['a'] }];
  const noParts = [[], 'a', ['a', 5], [undefined]].map((parts) => ({ kind: 'ip', parts }));

  it.each([...noTexts, ...noKinds, ...noParts].map((value) => [value]))('makes no key for %p', (value) => {
    expect(new StoreKeys(PARTS).keyOf(value)).toBeUndefined();
  });

  it('makes the key of a whole number from its text', () => {
    const keys = new StoreKeys(PARTS);

    expect([5, 5n, -0].map((value) => keys.keyOf(value))).toEqual(['5', '5', '0'].map((text) => keys.keyOf(text)));
    expect(keys.keyOf(5, identityText('tenant'))).toBe(keys.keyOf('5', identityText('tenant')));
    expect(identityText(5)).toBe(identityText('5'));
  });

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

    expect(new Set(pairs.map(([partition, identity]) => keys.keyOf(identity, identityText(partition)))).size).toBe(
      pairs.length,
    );
  });

  it('makes the same keys while the cache pauses, and after it', () => {
    const keys = new StoreKeys(PARTS);
    const ada = keys.keyOf('ada');
    // Only misses: a trial, then a pause.
    for (let index = 0; index < 270_000; index += 1) keys.keyOf(`client-${index}`);

    expect([keys.keyOf('ada'), keys.keyOf('client-3')]).toEqual([ada, keyOf('client-3')]);
  });

  it('keeps no reference to the texts that identities were cut from', () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const cut = (text: string) => `${text}-`.repeat(20_000).slice(0, 30);
    const keys = new StoreKeys(PARTS);
    collect();
    const before = process.memoryUsage().heapUsed;

    for (let index = 0; index < 100; index += 1) {
      keys.keyOf(cut(`text ${index}`));
      keys.keyOf({ kind: cut(`kind ${index}`), parts: [cut(`part ${index}`)] });
    }
    collect();

    // Together the texts have 60 MB.
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(4e6);
  });
});

describe('digestOf', () => {
  it('contains nothing of the identity', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 6 }), (identity) => {
        expect(digestOf(identityText(identity))).not.toContain(identity);
      }),
    );
  });

  it('is HMAC-SHA-256 with a secret', () => {
    const digest = createHmac('sha256', 'pepper').update('3:key3:ada').digest('base64url').slice(0, 22);

    expect(digestOf('3:key3:ada', 'pepper')).toBe(digest);
    expect(new Set(['pepper', 'salt', undefined].map((secret) => digestOf('3:key3:ada', secret))).size).toBe(3);
  });
});

describe('keyShape', () => {
  const windows = (last: string): PolicyOptions => ({
    algorithm: 'multi-window',
    windows: [
      { limit: 5, window: '1m' },
      { limit: 9, window: last },
    ],
  });
  const queue = (places: number): PolicyOptions => ({
    algorithm: 'leaky-bucket',
    limit: 5,
    window: '1m',
    queue: places,
  });

  it.each<[string, PolicyOptions]>([
    ['fw', { algorithm: 'fixed-window', limit: 5, window: '1m' }],
    ['sw', { limit: 5, window: '1m' }],
    ['sl', { algorithm: 'sliding-window-log', limit: 5, window: '1m' }],
    ['tb', { algorithm: 'token-bucket', limit: 5, window: '1m' }],
    ['tb', { algorithm: 'gcra', limit: 5, window: '1m' }],
    ['lb', { algorithm: 'leaky-bucket', limit: 5, window: '1m', queue: 4 }],
    ['mw', windows('2m')],
  ])('is %s and three characters for %j', (code, options) => {
    expect(keyShape(definePolicy(options))).toMatch(new RegExp(`^${code}[\\w-]{3}$`));
  });

  it('differs for every number that starts a new count', () => {
    const shapes = [
      { limit: 5, window: '1m' },
      { limit: 5, window: '2m' },
      { limit: 5, window: '1m', precision: 2 },
      { limit: 5, window: '1m', precision: 50 },
      { limit: 5, window: '1m', precision: 50, strict: true },
      { algorithm: 'sliding-window-log', limit: 5, window: '1m' },
      { algorithm: 'fixed-window', limit: 5, window: '1m', anchor: 'first' },
      { algorithm: 'fixed-window', limit: 5, window: '1m', anchor: 'clock' },
      windows('2m'),
      windows('3m'),
    ].map((options) => keyShape(definePolicy(options as PolicyOptions)));

    expect(new Set(shapes).size).toBe(shapes.length);
  });

  it.each<[string, PolicyOptions, PolicyOptions]>([
    ['limit', { limit: 5, window: '1m' }, { limit: 500, window: '60s' }],
    [
      'burst',
      { algorithm: 'token-bucket', limit: 5, window: '1m', burst: 5 },
      { algorithm: 'token-bucket', limit: 5, window: '1m', burst: 9 },
    ],
    ['queue', queue(5), queue(9)],
  ])('stays the same for another %s', (_what, one, other) => {
    expect(keyShape(definePolicy(one))).toBe(keyShape(definePolicy(other)));
  });
});

function keyOf(identity: Key): string | undefined {
  return new StoreKeys(PARTS).keyOf(identity);
}

/** The first 22 characters, as `openssl dgst -sha256` and base64url have them. */
function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
