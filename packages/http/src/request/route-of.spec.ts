import type { HttpRequest } from './request.js';
import { routeOf } from './route-of.js';

describe('routeOf', () => {
  it.each<[string, object, string]>([
    ['Express', { method: 'GET', url: '/7', route: { path: '/:id' } }, 'GET /:id'],
    ['Fastify', { method: 'POST', url: '/a/7?x', routeOptions: { url: '/a/:id' } }, 'POST /a/:id'],
    ['a route of Express that is an expression', { method: 'GET', url: '/a', route: { path: /a/ } }, 'GET /a'],
    ['a path with a secret', { method: 'GET', url: '/reset/4f2a9c?token=1' }, 'GET /reset/…'],
    ['a whole URL', { method: 'GET', url: 'https://example.com/a/b#c' }, 'GET /a/…'],
    ['a long path', { method: 'GET', url: `/${'a'.repeat(100)}` }, `GET /${'a'.repeat(40)}`],
    ['the root', { method: 'GET', url: '/?a=1' }, 'GET /'],
    ['nothing', {}, 'a request'],
  ])('names the route of %s', (_case, request, name) => {
    expect(routeOf(request as HttpRequest).name).toBe(name);
  });
});
