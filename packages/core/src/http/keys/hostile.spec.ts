import { StoreKeys } from '../../limiter/claims/store-keys.js';
import type { Key } from '../../model/identity.js';
import type { HttpRequest } from '../request.js';
import { byApiKey } from './api-key.js';
import { by } from './by.js';
import { compose } from './compose.js';
import { byHeader } from './header.js';
import { byIp } from './ip.js';
import { byJwtSubject } from './jwt-subject.js';
import { bySession } from './session.js';

// What is too long has nobody's address to fall back to here.
jest.spyOn(process, 'emitWarning').mockReturnValue(undefined);

const HOSTILE = [
  '}',
  '{}',
  '{}abc}',
  'a:b',
  'rl:{other}:tier',
  '\0',
  'a\0b',
  'a\r\nFLUSHALL\r\n',
  '*?[a]',
  '👩🏽‍🚀',
  '\ud83d',
  '\ude80',
  '\ufffd',
  '__proto__',
  'constructor',
  '[object Object]',
  '192.0.2.1',
  'unknown',
  'é',
  'e\u0301',
  'k'.repeat(512),
];

const identities: readonly [string, (text: string) => unknown][] = [
  ['by', (text) => by('account', () => text)({})],
  ['byHeader', (text) => byHeader('x-tenant')({ headers: { 'x-tenant': text } })],
  ['byApiKey, in the header', (text) => byApiKey()({ headers: { 'x-api-key': text } })],
  ['byApiKey, in the query', (text) => byApiKey({ query: 'key', header: 'x-key' })({ query: { key: text } })],
  ['byJwtSubject', (text) => byJwtSubject()({ auth: { sub: text } })],
  ['byJwtSubject, as the issuer', (text) => byJwtSubject()({ auth: { iss: text, sub: 'ada' } })],
  ['bySession', (text) => bySession()({ sessionID: text })],
  [
    'compose',
    (text) =>
      compose<HttpRequest>(
        byIp(),
        by('account', () => text),
      )({ ip: '192.0.2.1' }),
  ],
];

describe.each(identities)('%s', (_name, identify) => {
  it('C45: makes of every hostile text a key of its own that looks like any other', () => {
    const keys = HOSTILE.map((text) => keyOf(identify(text)));

    expect(new Set(keys).size).toBe(HOSTILE.length);
    for (const key of keys) expect(key).toMatch(/^rl:\{[\w-]{22}\}:tier:swabc$/);
  });

  it('C45: makes of 10 kB no key of its own', () => {
    const [one, other] = ['a', 'b'].map((letter) => keyOf(identify(letter.repeat(10_000))));

    expect(one).toBe(other);
  });
});

describe('identities', () => {
  it('C45: have no key in common, whatever is in them', () => {
    const request = {
      ip: '192.0.2.1',
      headers: { 'x-tenant': '192.0.2.1', 'x-api-key': '192.0.2.1' },
      auth: { sub: '192.0.2.1' },
      session: { id: '192.0.2.1' },
    };
    const session = { session: { id: '192.0.2.1' } };

    const keys = [
      byIp()(request),
      by('account', () => '192.0.2.1')(request),
      byHeader('x-tenant')(request),
      byApiKey()(request),
      byJwtSubject()(request),
      bySession()(session),
      compose<HttpRequest>(byIp(), byApiKey())(request),
      '192.0.2.1',
    ].map(keyOf);

    expect(new Set(keys).size).toBe(keys.length);
  });
});

function keyOf(identity: unknown): string {
  return new StoreKeys({ prefix: 'rl', secret: undefined, tier: 'tier', shape: 'swabc' }).keyOf(identity as Key);
}
