import { StoreKeys } from '../../../core/src/limiter/keys/store-keys.js';
import type { HttpRequest } from '../request/request.js';
import { byApiKey } from './api-key.js';
import { by } from './by.js';
import { compose } from './compose.js';
import { byHeader } from './header.js';
import { byIp } from './ip.js';
import { byJwtSubject } from './jwt-subject.js';
import { bySession } from './session.js';

// Texts that are too long fall back to an address, which these requests do not have.
jest.spyOn(process, 'emitWarning').mockReturnValue(undefined);

const SIGNS = [
  '}',
  '{}',
  '{}abc}',
  'a:b',
  'rl:{other}:tier',
  '\0',
  'a\0b',
  'a\r\nFLUSHALL\r\n',
  '*?[a]',
  'k'.repeat(512),
];
const UNICODE = ['👩🏽‍🚀', '\ud83d', '\ude80', '\ufffd', 'é', 'e\u0301'];
const WORDS = ['__proto__', 'constructor', '[object Object]', '192.0.2.1', 'unknown'];
const HOSTILE = [...SIGNS, ...UNICODE, ...WORDS];

const account = (text: string) => by('account', () => text);

const identities: readonly [string, (text: string) => unknown][] = [
  ['by', (text) => account(text)({})],
  ['byHeader', (text) => byHeader('x-tenant')({ headers: { 'x-tenant': text } })],
  ['byApiKey, in the header', (text) => byApiKey()({ headers: { 'x-api-key': text } })],
  ['byApiKey, in the query', (text) => byApiKey({ query: 'key', header: 'x-key' })({ query: { key: text } })],
  ['byJwtSubject', (text) => byJwtSubject()({ auth: { sub: text } })],
  ['byJwtSubject, as the issuer', (text) => byJwtSubject()({ auth: { iss: text, sub: 'ada' } })],
  ['bySession', (text) => bySession()({ sessionID: text })],
  ['compose', (text) => compose(byIp<HttpRequest>(), account(text))({ ip: '192.0.2.1' })],
];

describe.each(identities)('%s', (_name, identify) => {
  it('C45: has a key of the usual form for each hostile text', () => {
    const keys = HOSTILE.map((text) => keyOf(identify(text)));

    expect(new Set(keys).size).toBe(HOSTILE.length);
    for (const key of keys) expect(key).toMatch(/^rl:\{[\w-]{22}\}:tier:swabc$/);
  });

  it('C45: has one key for all texts of 10 kB', () => {
    const [one, other] = ['a', 'b'].map((letter) => keyOf(identify(letter.repeat(10_000))));

    expect(one).toBe(other);
  });
});

describe('identities', () => {
  it('C45: have different keys for the same text', () => {
    const request = {
      ip: '192.0.2.1',
      headers: { 'x-tenant': '192.0.2.1', 'x-api-key': '192.0.2.1' },
      auth: { sub: '192.0.2.1' },
      session: { id: '192.0.2.1' },
    };
    const session = { session: { id: '192.0.2.1' } };

    const keys = [
      byIp()(request),
      account('192.0.2.1')(request),
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
  return new StoreKeys({ prefix: 'rl', secret: undefined, tier: 'tier', shape: 'swabc' }).keyOf(identity)!;
}
