import { byApiKey } from '../../../http/src/keys/api-key.js';
import { by } from '../../../http/src/keys/by.js';
import { compose } from '../../../http/src/keys/compose.js';
import { byHeader } from '../../../http/src/keys/header.js';
import { byIp } from '../../../http/src/keys/ip.js';
import { byJwtSubject } from '../../../http/src/keys/jwt-subject.js';
import { bySession } from '../../../http/src/keys/session.js';
import type { Key } from '../../../core/src/model/identity.js';
import { parseIdentity, typedIdentity } from './typed-identity.js';

function identityOf(kind: string, ...values: string[]): Key {
  return typedIdentity(kind, values);
}

/** Without the memory of its store key. */
const plain = (key: unknown) => {
  const { kind, parts } = key as { kind: string; parts: readonly string[] };
  return { kind, parts: [...parts] };
};

describe('typedIdentity', () => {
  it.each([
    ['203.0.113.7'],
    ['203.0.113.7:4711'],
    ['::ffff:203.0.113.7'],
    ['2001:db8::1'],
    ['2001:DB8:0:0:1::1'],
    ['[2001:db8::1]:443'],
    ['fe80::1%eth0'],
  ])('takes the address %s as byIp does', (ip) => {
    expect(plain(identityOf('ip', ip))).toEqual(plain(byIp()({ ip })));
  });

  it('takes the prefix of an IPv6 address as ipv6Subnet', () => {
    const ip = '2001:db8:1:2ff::1';

    expect(plain(identityOf('ip', `${ip}/56`))).toEqual(plain(byIp({ ipv6Subnet: 56 })({ ip })));
  });

  it('takes unknown as the budget of clients without an address', () => {
    expect(plain(identityOf('ip', 'unknown'))).toEqual({ kind: 'ip', parts: ['unknown'] });
  });

  it('takes keys, callers, headers, sessions, own kinds and several together as core does', () => {
    const session = { sessionID: 'abc' };
    const account = by('account', () => 'ada');

    expect(identityOf('api-key', 'k1')).toEqual(byApiKey()({ headers: { 'x-api-key': 'k1' } }));
    expect(identityOf('jwt-subject', 'https://a.example', 'ada')).toEqual(
      byJwtSubject()({ headers: {}, auth: { iss: 'https://a.example', sub: 'ada' } }),
    );
    expect(identityOf('jwt-subject', 'ada')).toEqual(byJwtSubject()({ headers: {}, auth: { sub: 'ada' } }));
    expect(identityOf('header', 'X-Tenant', 'acme')).toEqual(byHeader('x-tenant')({ headers: { 'x-tenant': 'acme' } }));
    expect(identityOf('session', 'abc')).toEqual(bySession()(session));
    expect(identityOf('account', 'ada')).toEqual(account({}));
    expect(identityOf('composed', 'ip:203.0.113.7', 'account:ada')).toEqual(
      compose(byIp(), account)({ ip: '203.0.113.7' }),
    );
    expect(identityOf('key', 'ip:ada')).toBe('ip:ada');
  });

  it.each([
    [['ip', 'ada'], 'ip: "ada" is not an identity of this kind'],
    [['ip', '1.2.3'], 'ip: "1.2.3" is not an identity of this kind'],
    [['ip', '203.0.113.7/24'], 'ip: "203.0.113.7/24" is not'],
    [['ip', '2001:db8::1/8'], 'ip: "2001:db8::1/8" is not'],
    [['ip', '1.1.1.1', '1.1.1.2'], 'ip: write ip VALUE'],
    [['header', 'acme'], 'header: write header NAME VALUE'],
    [['header', 'a b', 'acme'], 'byHeader: header must be the name of a header'],
    [['composed', 'ip:1.1.1.1'], 'composed: write composed KIND:VALUE KIND:VALUE ...'],
    [['account', ''], 'account: "" is not'],
    [['constructor', ''], 'constructor: "" is not'],
    [['api-key', 'x'.repeat(513)], 'api-key: the value is not an identity of this kind'],
  ])('refuses %j', ([kind, ...values], message) => {
    expect(() => typedIdentity(kind!, values)).toThrow(message);
  });

  it('repeats no value that is a secret', () => {
    const message = /^ip: the value is not an identity of this kind$/;

    expect(() => typedIdentity('ip', ['ada'], true)).toThrow(message);
    expect(() => typedIdentity('composed', ['ip:ada', 'key:x'], true)).toThrow(message);
  });
});

describe('parseIdentity', () => {
  it.each([
    ['acme', 'acme'],
    ['team:7', { kind: 'team', parts: ['7'] }],
    ['key:team:7', 'team:7'],
    ['header:x-tenant acme', { kind: 'header', parts: ['x-tenant', 'acme'] }],
    ['team:two words', { kind: 'team', parts: ['two words'] }],
  ])('reads %j', (text, expected) => {
    expect(parseIdentity(text)).toEqual(expected);
  });
});
