import { headerOf, isPreflight, type HttpRequest } from './request.js';

describe('headerOf', () => {
  it('returns the value of a header, and joins repeated headers as Node does', () => {
    const headers = { one: 'a', several: ['a', 'b'] };

    expect([headerOf({ headers }, 'one'), headerOf({ headers }, 'several')]).toEqual(['a', 'a, b']);
    expect([headerOf({ headers }, 'none'), headerOf({}, 'one')]).toEqual([undefined, undefined]);
  });

  it.each(['constructor', '__proto__'])('C45 returns undefined for %s, which objects inherit', (name) => {
    expect(headerOf({ headers: {} }, name)).toBeUndefined();
    expect(headerOf({ headers: Object.create(null) }, name)).toBeUndefined();
  });

  it.each<[unknown]>([[5], [null], [{ toString: () => 'a' }], [true]])(
    'C45 returns undefined for the value %p',
    (value) => {
      expect(headerOf({ headers: { 'x-tenant': value as string } }, 'x-tenant')).toBeUndefined();
    },
  );
});

const headers = { origin: 'https://app.example', 'access-control-request-method': 'PUT' };

/** A preflight over HTTP/2, where a body needs no header. */
function over2(endAfterHeaders: boolean): HttpRequest {
  return { method: 'OPTIONS', headers, stream: { endAfterHeaders } } as HttpRequest;
}

describe('isPreflight', () => {
  it.each<[boolean, HttpRequest]>([
    [true, { method: 'OPTIONS', headers }],
    [true, { method: 'OPTIONS', headers: { ...headers, 'content-length': '0' } }],
    [false, { method: 'OPTIONS', headers: { ...headers, 'content-length': '2' } }],
    [false, { method: 'OPTIONS', headers: { ...headers, 'transfer-encoding': 'chunked' } }],
    [true, over2(true)],
    [false, over2(false)],
    [false, { raw: over2(false), ...over2(true) } as HttpRequest],
    [false, { method: 'PUT', headers }],
    [false, { method: 'OPTIONS', headers: { origin: headers.origin } }],
    [false, { method: 'OPTIONS', headers: { 'access-control-request-method': 'PUT' } }],
    [false, { method: 'OPTIONS' }],
    [false, {}],
  ])('returns %p for %j', (expected, request) => {
    expect(isPreflight(request)).toBe(expected);
  });
});
