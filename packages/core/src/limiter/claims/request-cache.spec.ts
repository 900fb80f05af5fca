import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as fc from 'fast-check';
import { identityText, type Key } from '../../model/identity.js';
import { RequestCache } from './request-cache.js';

const texts = () => [] as readonly string[];

/** What is found of requests that were remembered one after the other. */
function found(size: number, requests: readonly (readonly Key[])[]) {
  const cache = new RequestCache(size);
  for (const keys of requests) cache.set(keys, texts());
  return requests.map((keys) => cache.get(keys) !== undefined);
}

describe('what is remembered of requests', () => {
  const address = { kind: 'ip', parts: ['192.0.2.1'] };
  const pair = { kind: 'pair', parts: ['a', 'bc'] };

  it('is found by equal keys of all tiers', () => {
    const cache = new RequestCache(8);
    const [one, other] = [texts(), texts()];

    cache.set(['all', pair, address], one);
    cache.set(['all', address], other);

    expect(cache.get(['all', { kind: 'pair', parts: ['a', 'bc'] }, { ...address }])).toBeUndefined();
    expect(cache.get(['all', { kind: 'ip', parts: ['192.0.2.1'] }])).toBe(other);
  });

  it.each<[string, readonly Key[]]>([
    ['a text', ['other', pair, address]],
    ['a kind', ['all', { ...pair, kind: 'ip' }, address]],
    ['a part', ['all', { ...pair, parts: ['ab', 'c'] }, address]],
    ['how many parts there are', ['all', { ...pair, parts: ['a', 'bc', ''] }, address]],
    ['how many parts are left', ['all', { ...pair, parts: ['a'] }, address]],
    ['a part of the last one', ['all', pair, { ...address, parts: ['192.0.2.2'] }]],
    ['the kind of the last one', ['all', pair, { ...address, kind: 'key' }]],
    ['an identity that has the same text', [{ kind: 'ip', parts: ['all'] }, pair, address]],
    ['a text that an identity has', ['all', 'abc', address]],
    ['their order', [pair, 'all', address]],
  ])('is not found where %s is another', (_what, keys) => {
    const cache = new RequestCache(8);

    cache.set(['all', pair, address], texts());

    expect(cache.get(['all', { kind: 'pair', parts: ['a', 'bc'] }, { ...address }])).toBeDefined();
    expect(cache.get(keys)).toBeUndefined();
  });

  it('is of the last request alone of those that differ in the first tiers only', () => {
    const cache = new RequestCache(8);
    const last = texts();

    cache.set(['one', 'ada'], texts());
    cache.set(['other', 'ada'], last);

    expect([cache.get(['one', 'ada']), cache.get(['other', 'ada'])]).toEqual([undefined, last]);
  });

  it('is what came last for these keys, or nothing, and never what came for others', () => {
    const text = fc.constantFrom('a', 'b', 'ab', '1:a');
    const identity = fc.record({
      kind: fc.constantFrom('ip', 'key', 'i'),
      parts: fc.array(text, { minLength: 1, maxLength: 2 }),
    });
    const keys = fc.array(fc.oneof(text, identity), { minLength: 3, maxLength: 3 });
    fc.assert(
      fc.property(fc.array(keys, { maxLength: 60 }), (requests) => {
        const cache = new RequestCache(16);
        const came = new Map<string, readonly string[]>();
        for (const request of requests) {
          const now = texts();
          cache.set(request, now);
          came.set(request.map(identityText).join(), now);
          expect(cache.get(request)).toBe(now);
        }

        for (const request of requests) {
          expect([undefined, came.get(request.map(identityText).join())]).toContain(cache.get(request));
        }
      }),
    );
  });

  it('is forgotten in the order in which it came', () => {
    const known = found(
      4,
      Array.from({ length: 100 }, (_, index) => ['all', `user ${index}`]),
    );

    expect(known.slice(0, 96)).not.toContain(true);
    expect(known.at(-1)).toBe(true);
  });

  it('is nothing where the text of any key is long', () => {
    const [short, long] = ['x'.repeat(200), 'x'.repeat(257)];
    const parts = { kind: 'parts', parts: ['x'.repeat(128), 'x'.repeat(128)] };

    const known = found(64, [
      [short, 'a'],
      ['all', short],
      [long, 'b'],
      ['all', long],
      [{ kind: long, parts: ['c'] }, 'c'],
      [parts, 'd'],
      ['all', parts],
    ]);

    expect(known).toEqual([true, true, false, false, false, false, false]);
  });

  it('is not changed by what becomes of the keys', () => {
    const cache = new RequestCache(8);
    const parts = ['a'];
    const keys: Key[] = [{ kind: 'ip', parts }, 'all', 'ada'];

    cache.set(keys, texts());
    parts[0] = 'b';
    keys[1] = 'other';

    expect(cache.get(keys)).toBeUndefined();
    expect(cache.get([{ kind: 'ip', parts: ['a'] }, 'all', 'ada'])).toBeDefined();
  });

  it('holds on to nothing that its keys were cut from', () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const cut = (text: string) => `${text}-`.repeat(20_000).slice(0, 30);
    const cache = new RequestCache(1_000);
    const nothing = texts();
    collect();
    const before = process.memoryUsage().heapUsed;

    for (let index = 0; index < 100; index += 1) {
      const keys = [cut(`text ${index}`), { kind: cut(`kind ${index}`), parts: [cut(`part ${index}`)] }];
      cache.set([...keys, cut(`last ${index}`)], nothing);
    }
    collect();

    // All of them together are 60 MB.
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(4e6);
    expect(cache.get([cut('text 99'), { kind: cut('kind 99'), parts: [cut('part 99')] }, cut('last 99')])).toBe(
      nothing,
    );
  });
});
