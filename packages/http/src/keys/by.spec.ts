import * as fc from 'fast-check';

import { identityText } from '../../../core/src/limiter/keys/store-keys.js';
import type { HttpRequest } from '../request/request.js';
import { by, textOf } from './by.js';

// Random identities are objects too.
jest.spyOn(process, 'emitWarning').mockReturnValue(undefined);

interface Login extends HttpRequest {
  readonly body?: { readonly email?: unknown };
}

const read = ({ body }: Login) => body?.email;
const byAccount = by('account', read);
const CLIENT = { kind: 'ip', parts: ['192.0.2.1'] };

describe('by', () => {
  it('waits only for an async function', async () => {
    const byRow = by('row', async ({ body }: Login) => (body ? 7 : undefined));

    await expect(byRow({ ip: '192.0.2.1', body: {} })).resolves.toEqual({ kind: 'row', parts: ['7'] });
    await expect(byRow({ ip: '192.0.2.1' })).resolves.toEqual(CLIENT);
    expect(byAccount({ ip: '192.0.2.1' })).toEqual(CLIENT);
  });

  it.each<[unknown, string]>([
    ['ada@example.com', 'ada@example.com'],
    [7, '7'],
    ['7', '7'],
    [7n, '7'],
    [0, '0'],
    [-0, '0'],
  ])('C45: identifies %p by the text %j', (email, text) => {
    expect(byAccount({ body: { email } })).toEqual({ kind: 'account', parts: [text] });
  });

  it('C45: makes a key of any value, and never throws', () => {
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withNullPrototype: true, withBoxedValues: true }), (email) => {
        const key = byAccount({ ip: '192.0.2.1', body: { email } });

        const text = textOf(email);
        expect(identityText(key as unknown)).toBeDefined();
        expect(key).toEqual(text === undefined ? CLIENT : { kind: 'account', parts: [text] });
      }),
      { numRuns: 2_000 },
    );
  });

  it('throws and rejects with the error of the function', async () => {
    const broken = new Error('broken');
    const throwing = by('account', () => {
      throw broken;
    });
    const rejecting = by('account', async () => Promise.reject(broken));

    expect(() => throwing({})).toThrow(broken);
    await expect(rejecting({})).rejects.toBe(broken);
  });
});

describe('textOf', () => {
  it.each(['ada', ' ', '}', '{}', 'a:b', 'a\0b', '👩🏽‍🚀', '\ud83d', '__proto__', 'k'.repeat(512)])(
    'C45: returns %j unchanged',
    (text) => {
      expect(textOf(text)).toBe(text);
    },
  );

  it.each<[unknown]>(
    ['', 'k'.repeat(513), 'k'.repeat(10_000), undefined, null, NaN, Infinity, 1.5, 2 ** 53, true, [], ['ada'], {}]
      .concat([{ toString: () => 'ada' }, Object.create(null), Object('ada'), Symbol('ada'), () => 'ada', new Date(0)])
      .map((value) => [value]),
  )('C45: finds no identity in %p', (value) => {
    expect(textOf(value)).toBeUndefined();
  });
});
