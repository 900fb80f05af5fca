import { byHeader } from './header.js';

const byTenant = byHeader('X-Tenant');

describe('byHeader', () => {
  it('identifies by the value, and tells headers apart', () => {
    const request = { ip: '192.0.2.1', headers: { 'x-tenant': 'acme', 'x-team': 'acme' } };

    expect(byTenant(request)).toEqual({ kind: 'header', parts: ['x-tenant', 'acme'] });
    expect(byHeader('X-Team')(request)).toEqual({ kind: 'header', parts: ['x-team', 'acme'] });
  });

  it('finds the header however its name is spelt', () => {
    const request = { headers: { 'x-tenant': 'acme' } };

    expect(byHeader('x-TENANT')(request)).toEqual(byTenant(request));
  });

  it('takes a header that came several times for what Node joins it to', () => {
    expect(byTenant({ headers: { 'x-tenant': ['acme', 'other'] } })).toEqual(
      byTenant({ headers: { 'x-tenant': 'acme, other' } }),
    );
  });

  it.each<[string, Record<string, string> | undefined]>([
    ['no headers', undefined],
    ['no such header', { tenant: 'acme' }],
    ['an empty one', { 'x-tenant': '' }],
    ['one of 513 characters', { 'x-tenant': 'a'.repeat(513) }],
  ])('asks byIp where there is %s', (_what, headers) => {
    expect(byTenant({ ip: '192.0.2.1', headers })).toEqual({ kind: 'ip', parts: ['192.0.2.1'] });
  });

  it('asks what it is told to ask where there is no such header', () => {
    expect(byHeader('X-Tenant', { otherwise: () => 'nobody' })({ ip: '192.0.2.1' })).toBe('nobody');
  });

  it('C45: finds nothing in headers that nobody has sent', () => {
    for (const name of ['__proto__', 'constructor', 'valueof']) {
      expect(byHeader(name)({ ip: '192.0.2.1', headers: {} })).toEqual({ kind: 'ip', parts: ['192.0.2.1'] });
    }
  });

  it.each<[unknown, string]>([
    ['', '""'],
    ['x tenant', '"x tenant"'],
    ['x-tenant:', '"x-tenant:"'],
    ['x-tenant\r\n', String.raw`"x-tenant\r\n"`],
    ['x-ténant', '"x-ténant"'],
    [undefined, 'undefined'],
    [['x-tenant'], 'an array of 1'],
  ])('refuses the name %p', (header, shown) => {
    expect(() => byHeader(header as string)).toThrow(
      expect.objectContaining({
        code: 'KEY_INVALID',
        option: 'header',
        value: header,
        message: `byHeader: header must be the name of a header, got ${shown}`,
      }),
    );
  });

  it.each<[unknown, object]>([
    [
      { otherwise: 5 },
      { code: 'OPTION_INVALID', option: 'otherwise', message: 'byHeader: otherwise must be a function, got 5' },
    ],
    [{ from: byTenant }, { code: 'OPTION_UNKNOWN', option: 'from' }],
    [
      'x-team',
      { code: 'OPTION_INVALID', option: 'options', message: 'byHeader: options must be an object, got "x-team"' },
    ],
  ])('refuses the options %p', (options, error) => {
    expect(() => byHeader('x-tenant', options as object)).toThrow(expect.objectContaining(error));
  });
});
