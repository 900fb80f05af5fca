import * as fc from 'fast-check';

import { isKey } from '../../model/identity.js';
import type { HttpRequest } from '../request.js';
import { by, textOf } from './by.js';

interface Login extends HttpRequest {
  readonly body?: { readonly email?: unknown };
}

const byAccount = by('account', ({ body }: Login) => body?.email);
const CLIENT = { kind: 'ip', parts: ['192.0.2.1'] };

describe('by', () => {
  it('identifies by the text that the function reads, under the kind', () => {
    expect(byAccount({ ip: '192.0.2.1', body: { email: 'ada@example.com' } })).toEqual({
      kind: 'account',
      parts: ['ada@example.com'],
    });
  });

  it('waits for a function that is async, and for none that is not', async () => {
    const byRow = by('row', async ({ body }: Login) => (body ? 7 : undefined));

    await expect(byRow({ ip: '192.0.2.1', body: {} })).resolves.toEqual({ kind: 'row', parts: ['7'] });
    await expect(byRow({ ip: '192.0.2.1' })).resolves.toEqual(CLIENT);
    expect(byAccount({ ip: '192.0.2.1' })).toEqual(CLIENT);
  });

  it.each<[unknown]>([[7], ['7'], [7n]])('takes the whole number %p for its text', (email) => {
    expect(byAccount({ body: { email } })).toEqual({ kind: 'account', parts: ['7'] });
  });

  it('C45: takes negative zero for zero', () => {
    expect(byAccount({ body: { email: -0 } })).toEqual(byAccount({ body: { email: 0 } }));
  });

  it('asks byIp where there is no text, or what it is told to ask', () => {
    const byGuest = by('account', ({ body }: Login) => body?.email, { otherwise: () => 'guest' });

    expect(byAccount({ ip: '192.0.2.1' })).toEqual(CLIENT);
    expect(byGuest({ ip: '192.0.2.1' })).toBe('guest');
  });

  it('has no identity in common with what it falls back to, whatever a client writes', () => {
    const written = byAccount({ ip: '192.0.2.1', body: { email: '192.0.2.1' } });

    expect(written).toEqual({ kind: 'account', parts: ['192.0.2.1'] });
    expect(written).not.toEqual(byAccount({ ip: '192.0.2.1' }));
  });

  it('C45: makes a key of anything that a client may send, and never throws', () => {
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withNullPrototype: true, withBoxedValues: true }), (email) => {
        const key = byAccount({ ip: '192.0.2.1', body: { email } });

        const text = textOf(email);
        expect(isKey(key)).toBe(true);
        expect(key).toEqual(text === undefined ? CLIENT : { kind: 'account', parts: [text] });
      }),
      { numRuns: 2_000 },
    );
  });

  it('leaves what the function throws to the limiter', async () => {
    const broken = new Error('broken');
    const throwing = by('account', () => {
      throw broken;
    });
    const rejecting = by('account', async () => Promise.reject(broken));

    expect(() => throwing({})).toThrow(broken);
    await expect(rejecting({})).rejects.toBe(broken);
  });

  it.each<[unknown, string]>([
    ['', '""'],
    [undefined, 'undefined'],
    [5, '5'],
    [['account'], 'an array of 1'],
  ])('refuses the kind %p', (kind, shown) => {
    expect(() => by(kind as string, () => 'ada')).toThrow(
      expect.objectContaining({
        code: 'KEY_INVALID',
        option: 'kind',
        value: kind,
        message: `by: kind must be a non-empty text, got ${shown}`,
      }),
    );
  });

  it.each<[unknown, string]>([
    ['email', '"email"'],
    [undefined, 'undefined'],
    [{ otherwise: byAccount }, 'an object'],
  ])('refuses to read by %p', (read, shown) => {
    expect(() => by('account', read as () => string)).toThrow(
      expect.objectContaining({
        code: 'KEY_INVALID',
        option: 'read',
        value: read,
        message: `by: read must be a function of the subject, got ${shown}`,
      }),
    );
  });

  it.each<[unknown, object]>([
    [
      { otherwise: 'ip' },
      { code: 'OPTION_INVALID', option: 'otherwise', message: 'by: otherwise must be a function, got "ip"' },
    ],
    [
      { otherwis: byAccount },
      { code: 'OPTION_UNKNOWN', option: 'otherwis', message: expect.stringContaining('did you mean otherwise?') },
    ],
    [
      byAccount,
      { code: 'OPTION_INVALID', option: 'options', message: expect.stringMatching(/^by: options must be an object/) },
    ],
    [null, { code: 'OPTION_INVALID', option: 'options', message: 'by: options must be an object, got null' }],
  ])('refuses the options %p', (options, error) => {
    expect(() => by('account', () => 'ada', options as object)).toThrow(expect.objectContaining(error));
  });
});

describe('textOf', () => {
  it.each(['ada', ' ', '}', '{}', 'a:b', 'a\0b', '👩🏽‍🚀', '\ud83d', '__proto__', 'k'.repeat(512)])(
    'C45: takes %j as it is',
    (text) => {
      expect(textOf(text)).toBe(text);
    },
  );

  it.each<[unknown]>([
    [''],
    ['k'.repeat(513)],
    ['k'.repeat(10_000)],
    [undefined],
    [null],
    [NaN],
    [Infinity],
    [1.5],
    [2 ** 53],
    [true],
    [[]],
    [['ada']],
    [{}],
    [{ toString: () => 'ada' }],
    [Object.create(null)],
    [Object('ada')],
    [Symbol('ada')],
    [() => 'ada'],
    [new Date(0)],
    [Buffer.from('ada')],
  ])('C45: finds no identity in %p', (value) => {
    expect(textOf(value)).toBeUndefined();
  });
});
