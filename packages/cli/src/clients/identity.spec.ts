import { by, byApiKey, byHeader, byIp, byJwtSubject, bySession, compose, type Key } from '@sluice/core';
import { parseIdentity, readIdentity } from './identity.js';

async function identityOf(...args: string[]): Promise<Key> {
  const { key } = await readIdentity(args);
  return key;
}

/** Without the memory of its store key. */
const plain = (key: unknown) => {
  const { kind, parts } = key as { kind: string; parts: readonly string[] };
  return { kind, parts: [...parts] };
};

describe('readIdentity', () => {
  it.each([
    ['203.0.113.7'],
    ['203.0.113.7:4711'],
    ['::ffff:203.0.113.7'],
    ['2001:db8::1'],
    ['2001:DB8:0:0:1::1'],
    ['[2001:db8::1]:443'],
    ['fe80::1%eth0'],
  ])('takes the address %s as byIp does', async (ip) => {
    expect(plain(await identityOf('ip', ip))).toEqual(plain(byIp()({ ip })));
  });

  it('takes the prefix of an IPv6 address as ipv6Subnet', async () => {
    const ip = '2001:db8:1:2ff::1';

    expect(plain(await identityOf('ip', `${ip}/56`))).toEqual(plain(byIp({ ipv6Subnet: 56 })({ ip })));
  });

  it('takes unknown as the budget of clients without an address', async () => {
    expect(plain(await identityOf('ip', 'unknown'))).toEqual({ kind: 'ip', parts: ['unknown'] });
  });

  it('takes keys, callers, headers, sessions, own kinds and several together as core does', async () => {
    const session = { sessionID: 'abc' };
    const account = by('account', () => 'ada');

    expect(await identityOf('api-key', 'k1')).toEqual(byApiKey()({ headers: { 'x-api-key': 'k1' } }));
    expect(await identityOf('jwt-subject', 'https://a.example', 'ada')).toEqual(
      byJwtSubject()({ headers: {}, auth: { iss: 'https://a.example', sub: 'ada' } }),
    );
    expect(await identityOf('jwt-subject', 'ada')).toEqual(byJwtSubject()({ headers: {}, auth: { sub: 'ada' } }));
    expect(await identityOf('header', 'X-Tenant', 'acme')).toEqual(
      byHeader('x-tenant')({ headers: { 'x-tenant': 'acme' } }),
    );
    expect(await identityOf('session', 'abc')).toEqual(bySession()(session));
    expect(await identityOf('account', 'ada')).toEqual(account({}));
    expect(await identityOf('composed', 'ip:203.0.113.7', 'account:ada')).toEqual(
      compose(byIp(), account)({ ip: '203.0.113.7' }),
    );
    expect(await identityOf('key', 'ip:ada')).toBe('ip:ada');
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
  ])('refuses %j', async (args, message) => {
    await expect(readIdentity(args)).rejects.toThrow(message);
  });

  it('repeats no API key in messages', async () => {
    expect(await readIdentity(['api-key', 'k1'])).toMatchObject({ name: 'this api-key' });
    expect(await readIdentity(['ip', '1.1.1.1'])).toMatchObject({ name: 'ip 1.1.1.1' });
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
