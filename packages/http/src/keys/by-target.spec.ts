import * as fc from 'fast-check';

import { identityText } from '../../../core/src/limiter/keys/store-keys.js';
import { createLimiter } from '../../../core/src/limiter/limiter.js';
import type { Identity } from '../../../core/src/model/identity.js';
import type { HttpRequest } from '../request/request.js';
import { byTarget } from './by-target.js';

interface CodeRequest extends HttpRequest {
  readonly to?: unknown;
}

const byPhone = byTarget('phone', ({ to }: CodeRequest) => to, { as: 'digits' });
const byEmail = byTarget('email', ({ to }: CodeRequest) => to);
const spellingOf = (key: typeof byPhone, to: unknown) => identityText(key({ ip: '192.0.2.1', to }) as unknown);
const UNREADABLE = spellingOf(byPhone, undefined);

describe('byTarget', () => {
  it.each([
    ['other scripts', '+٤٩ ٣٠ ٩٠١٨٢٠'],
    ['a script beyond 16 bits', '𝟒𝟗30𑁯𑁦𑁧𑁮𑁨𑁦'],
    ['full width', '＋４９ (30) 90-18-20'],
    ['a number', 4930901820],
  ])('reads the digits of a phone number in %s', (_case, to) => {
    expect(byPhone({ to })).toEqual({ kind: 'phone', parts: ['4930901820'] });
  });

  it('reads each digit of Unicode as the number that it is', () => {
    const all = Array.from({ length: 0x11_0000 }, (_, code) => code)
      .filter((code) => code < 0xd8_00 || code > 0xdf_ff)
      .map((code) => String.fromCodePoint(code))
      .filter((each) => /\p{Nd}/u.test(each));

    const values = all.map((each) => (byPhone({ to: each }) as Identity).parts.join(''));

    expect(all.length).toBeGreaterThan(600);
    expect(values).toEqual(all.map((_, index) => String(index % 10)));
  });

  it('reads spellings of an e-mail address as one', () => {
    const spellings = ['ada@example.com', ' Ada@Example.com\n', 'ＡＤＡ@example.com', 'a\u200Bd\u00ADa@example.com'];

    expect(new Set(spellings.map((to) => spellingOf(byEmail, to))).size).toBe(1);
  });

  it('has one budget for all values without a target, whoever sends them', async () => {
    const limiter = createLimiter<CodeRequest>({
      tiers: [{ name: 'phone', key: byPhone, limit: 1, window: '1m' }],
    });
    const values = [undefined, null, '', ' ', 'call me', ['+49301'], { toString: 1 }, true, '1'.repeat(600), NaN];

    const admitted: boolean[] = [];
    for (const [index, to] of values.entries()) {
      admitted.push((await limiter.consume({ ip: `198.51.100.${index}`, to })).allowed);
    }

    expect(admitted).toEqual([true, ...Array<boolean>(values.length - 1).fill(false)]);
  });

  it('identifies by the target alone, for any value, and never by the sender', () => {
    fc.assert(
      fc.property(fc.anything(), fc.ipV4(), (to, ip) => {
        const text = identityText(byPhone({ ip, to }) as unknown);
        expect(text).toBe(spellingOf(byPhone, to));
        const hasDigits = text !== UNREADABLE;
        expect(hasDigits).toBe(/^[1-9]\d*$|\p{Nd}/u.test(typeof to === 'string' ? to.normalize('NFKC') : digits(to)));
      }),
    );
  });

  it('gives no text of a client the budget of values without a target', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (to) => {
        expect(spellingOf(byEmail, `x${to}`)).not.toBe(spellingOf(byEmail, undefined));
      }),
    );
  });

  it('waits for an async function, and passes its error on', async () => {
    const later = byTarget('row', async ({ to }: CodeRequest) => to);
    const broken = byTarget('row', async () => Promise.reject(new Error('mine')));

    await expect(later({ to: 'a' })).resolves.toEqual({ kind: 'row', parts: ['a'] });
    await expect(broken({})).rejects.toThrow('mine');
  });
});

function digits(value: unknown): string {
  return Number.isSafeInteger(value) || typeof value === 'bigint' ? String(value) : '';
}
