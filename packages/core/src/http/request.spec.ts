import { headerOf, isPreflight, type HttpRequest } from './request.js';

describe('headerOf', () => {
  it('is the value of a header, and of one that came several times all values, as Node joins them', () => {
    const headers = { one: 'a', several: ['a', 'b'] };

    expect(headerOf({ headers }, 'one')).toBe('a');
    expect(headerOf({ headers }, 'several')).toBe('a, b');
    expect(headerOf({ headers }, 'none')).toBeUndefined();
    expect(headerOf({}, 'one')).toBeUndefined();
  });

  it.each(['constructor', '__proto__', 'toString'])('C45: is nothing for %s, which every object inherits', (name) => {
    expect(headerOf({ headers: {} }, name)).toBeUndefined();
    expect(headerOf({ headers: Object.create(null) }, name)).toBeUndefined();
  });

  it.each<[unknown]>([[5], [null], [{ toString: () => 'a' }], [true]])('C45: is nothing for the value %p', (value) => {
    expect(headerOf({ headers: { 'x-tenant': value as string } }, 'x-tenant')).toBeUndefined();
  });
});

describe('isPreflight', () => {
  const asked = { origin: 'https://app.example', 'access-control-request-method': 'PUT' };

  it('is true for what a browser sends before it sends a request', () => {
    expect(isPreflight({ method: 'OPTIONS', headers: asked })).toBe(true);
  });

  it.each<[string, HttpRequest]>([
    ['another method', { method: 'PUT', headers: asked }],
    ['no origin', { method: 'OPTIONS', headers: { 'access-control-request-method': 'PUT' } }],
    ['no method that is asked for', { method: 'OPTIONS', headers: { origin: 'https://app.example' } }],
    ['no headers', { method: 'OPTIONS' }],
    ['no method', { headers: asked }],
    ['nothing', {}],
  ])('is false for a request with %s', (_what, request) => {
    expect(isPreflight(request)).toBe(false);
  });
});
