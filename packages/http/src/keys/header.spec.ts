import { byHeader } from './header.js';

const CLIENT = { kind: 'ip', parts: ['192.0.2.1'] };
const ACME = { kind: 'header', parts: ['x-tenant', 'acme'] };

describe('byHeader', () => {
  it.each(['X-Tenant', 'x-TENANT'])('identifies by the name and the value of the header %s', (name) => {
    expect(byHeader(name)({ headers: { 'x-tenant': 'acme', 'x-team': 'acme' } })).toEqual(ACME);
  });

  it('joins the values of a header that came several times, as Node does', () => {
    const joined = { kind: 'header', parts: ['x-tenant', 'acme, other'] };

    expect(byHeader('X-Tenant')({ headers: { 'x-tenant': ['acme', 'other'] } })).toEqual(joined);
  });

  it.each<[string, string, Record<string, string> | undefined]>([
    ['no headers', 'x-tenant', undefined],
    ['no such header', 'x-tenant', { tenant: 'acme' }],
    ['an empty header', 'x-tenant', { 'x-tenant': '' }],
    ['a value of 513 characters', 'x-tenant', { 'x-tenant': 'a'.repeat(513) }],
    ['C45: an inherited __proto__', '__proto__', {}],
    ['C45: an inherited constructor', 'constructor', {}],
    ['C45: an inherited valueOf', 'valueOf', {}],
  ])('falls back to byIp for %s', (_what, name, headers) => {
    expect(byHeader(name)({ ip: '192.0.2.1', headers })).toEqual(CLIENT);
  });
});
