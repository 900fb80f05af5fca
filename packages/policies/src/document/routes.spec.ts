import * as fc from 'fast-check';
import { readRoute } from './routes.js';

const takes = (text: string, method: string, url: string) => readRoute(text)!.takes({ method, url });

describe('readRoute', () => {
  it.each([
    ['/login', 'GET', '/login'],
    ['/login', 'POST', '/login?next=/a'],
    ['/login', 'POST', '/login/'],
    ['/login/', 'POST', '/login'],
    ['POST /login', 'POST', 'https://shop.example:443/login?x=1'],
    ['GET /files/*', 'HEAD', '/files/a.txt'],
    ['/api/*', 'GET', '/api/users/7'],
    ['/api/*', 'GET', '/api'],
    ['/api/*', 'GET', '/api?page=2'],
    ['/im*', 'GET', '/images/a/b.png'],
    ['/users/*/posts', 'GET', '/users/7/posts/'],
    ['/v*/items', 'GET', '/v2/items'],
    ['/*', 'GET', '/'],
    ['/*', 'GET', '/a/b'],
    ['/', 'GET', '/'],
    ['/', 'GET', 'http://shop.example'],
    ['/a.b', 'GET', '/a.b'],
  ])('%s takes %s %s', (text, method, url) => {
    expect(takes(text, method, url)).toBe(true);
  });

  it.each([
    ['POST /login', 'GET', '/login'],
    ['POST /login', '', '/login'],
    ['HEAD /files/*', 'GET', '/files/a.txt'],
    ['/login', 'POST', '/loginx'],
    ['/login', 'POST', '/a/login'],
    ['/login', 'POST', '/other?path=/login'],
    ['/login', 'POST', ''],
    ['/api/*', 'GET', '/apis'],
    ['/users/*/posts', 'GET', '/users/7/8/posts'],
    ['/users/*/posts', 'GET', '/users//posts'],
    ['/a.b', 'GET', '/axb'],
    ['/', 'GET', '/a'],
  ])('%s does not take %s %s', (text, method, url) => {
    expect(takes(text, method, url)).toBe(false);
  });

  it.each(['', 'login', 'POST', 'post /login', 'POST  /login', '/a b', '/api/**', '/a*b*', '/a?b', '/a#b', '*', '/ä'])(
    'refuses %j',
    (text) => {
      expect(readRoute(text)).toBeUndefined();
    },
  );

  it('takes every path below the part before a star at the end, and no other', () => {
    const path = fc.array(fc.constantFrom('a', 'b', '.', '+', '('), { maxLength: 3 }).map((parts) => parts.join('/'));

    fc.assert(
      fc.property(path, path, (base, other) => {
        const isBelow = other === base || other.startsWith(`${base}/`) || base === '';
        expect(takes(`/${base === '' ? '' : `${base}/`}*`, 'GET', `/${other}`)).toBe(isBelow);
      }),
    );
  });
});
