import type { Denied, HttpRequest } from '@sluice/http';
import { newAddress } from '../../support/identities.js';
import { limitFields, remainingOf, statusesOf } from '../../support/responses.js';
import { siteOf, type World } from '../world.js';

const hour = { algorithm: 'fixed-window', limit: 1, window: '1h' } as const;

export function denials(world: World): void {
  describe('a denial', () => {
    let handled = 0;
    const count = () => {
      handled += 1;
      return { status: 200, text: 'served' };
    };
    const body = (name: string, value: unknown) => ({
      path: `/${name}`,
      limits: [{ ...hour, name, body: value as string }],
    });
    const site = siteOf(world, () => ({
      routes: [
        { path: '/problem', limits: [{ ...hour, name: 'problem' }], handle: count },
        { path: '/problem', method: 'POST', limits: [{ ...hour, name: 'problem-of-post' }], handle: count },
        { path: '/never', limits: [{ ...hour, name: 'never', cost: () => 2 }], handle: count },
        { path: '/nothing', limits: [{ ...hour, name: 'nothing', limit: () => 0 }], handle: count },
        { path: '/key', limits: [{ ...hour, name: 'key', key: ({ headers }) => String(headers?.['x-account']) }] },
        {
          path: '/year',
          limits: [{ name: 'year', algorithm: 'fixed-window', limit: 1, period: 'year', timeZone: 'Europe/Berlin' }],
        },
        { path: '/quiet', limits: [{ ...hour, name: 'quiet', headers: [] }] },
        body('text', 'slow down'),
        body('value', { slow: 'down' }),
        body('null', () => null),
        body('async', async ({ decision }: Denied<HttpRequest>) => decision.reason),
        body('problem-with-more', ({ problem, decision }: Denied<HttpRequest>) => ({
          ...problem,
          by: decision.deniedBy,
        })),
      ],
    }));
    const deniedAt = async (path: string, headers: Record<string, string> = {}) => {
      const [, denied] = await site.sendTimes(2, { path, from: newAddress(), headers });
      return denied!;
    };

    it('C21 C26 C28 is 429 with problem details that name the policy, and is not stored', async () => {
      const { status, reason, headers, text } = await deniedAt('/problem');

      expect([status, reason]).toEqual([429, 'Too Many Requests']);
      expect(headers['content-type']).toBe('application/problem+json; charset=utf-8');
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['retry-after']).toMatch(/^3(60[01]|5\d\d)$/);
      expect(JSON.parse(text)).toEqual({
        type: 'https://iana.org/assignments/http-problem-types#quota-exceeded',
        title: 'Request cannot be satisfied as assigned quota has been exceeded',
        status: 429,
        detail: `Too many requests. Retry in ${headers['retry-after']} seconds.`,
        'retry-after': Number(headers['retry-after']),
        'violated-policies': ['problem'],
      });
    });

    it('says in words when a used-up period of the calendar starts again, and its seconds in a field', async () => {
      const { headers, text } = await deniedAt('/year');

      expect(JSON.parse(text)).toMatchObject({
        detail: 'The quota of this year is used up. It starts again on 1 January (Europe/Berlin).',
        'retry-after': Number(headers['retry-after']),
        'violated-policies': ['year'],
      });
      expect((await deniedAt('/year', { Accept: 'text/plain' })).text).toMatch(/It starts again on 1 January/);
    });

    it('C30 does not reach the handler or the error handler', async () => {
      handled = 0;

      const responses = await site.sendTimes(4, { path: '/problem', from: newAddress() });

      expect(statusesOf(responses)).toEqual([200, 429, 429, 429]);
      expect([handled, site.errors]).toEqual([1, []]);
    });

    it('C27 contains no identity and no address', async () => {
      const headers = { 'X-Account': 'ada@example.com', Authorization: 'Bearer secret' };

      const denied = await deniedAt('/key', headers);

      const all = `${JSON.stringify(denied.headers)} ${denied.text}`;
      expect(denied.status).toBe(429);
      expect(all).not.toMatch(/ada|example\.com|127\.0\.0\.1|secret|rl:|\bat /i);
    });

    it.each(['/never', '/nothing'])(
      'C32 C42 C43 is 422 when waiting does not help, and charges nothing: %s',
      async (path) => {
        const [first, second] = await site.sendTimes(2, { path, from: newAddress() });

        expect([first!.status, first!.reason]).toEqual([422, 'Unprocessable Entity']);
        expect(first!.headers).not.toHaveProperty('retry-after');
        expect(first!.headers['cache-control']).toBe('no-store');
        expect(JSON.parse(first!.text)).toEqual({
          type: 'about:blank',
          title: 'Unprocessable Content',
          status: 422,
          detail: 'The request can never fit its limit. Retrying does not help.',
          'violated-policies': [path.slice(1)],
        });
        expect(second!.text).toBe(first!.text);
      },
    );

    it.each([
      ['*/*', 'application/problem+json'],
      ['application/json', 'application/json'],
      ['application/problem+json, text/plain;q=0.5', 'application/problem+json'],
      ['text/plain', 'text/plain'],
      ['text/*', 'text/plain'],
      ['text/html, */*;q=0.8', 'application/problem+json'],
      ['image/png', 'application/problem+json'],
      ['nonsense;;,q', 'application/problem+json'],
    ])('answers Accept: %s with %s', async (accept, type) => {
      const { status, headers, text } = await deniedAt('/problem', { Accept: accept });

      expect(status).toBe(429);
      expect(headers['content-type']).toBe(`${type}; charset=utf-8`);
      expect(text).toContain('Too many requests. Retry in');
      expect(text.startsWith('{')).toBe(type.endsWith('json'));
    });

    it.each([
      ['/text', 'text/plain', 'slow down'],
      ['/value', 'application/json', '{"slow":"down"}'],
      ['/null', 'application/json', 'null'],
      ['/async', 'text/plain', 'denied'],
      ['/problem-with-more', 'application/problem+json', '"by":["problem-with-more"]'],
    ])('has the body of the application: %s', async (path, type, text) => {
      const denied = await deniedAt(path);

      expect([denied.status, denied.headers['content-type']]).toEqual([429, `${type}; charset=utf-8`]);
      expect(denied.text).toContain(text);
    });

    it('C20 sends Retry-After even without other fields', async () => {
      expect(Object.keys(limitFields(await deniedAt('/quiet')))).toEqual(['retry-after']);
    });

    it('C29 has the same headers and no body for HEAD, which counts with GET', async () => {
      const request = { path: '/problem', from: newAddress() };

      const responses = await site.sendEach([request, { ...request, method: 'HEAD' }, request]);

      const [, head, get] = responses;
      expect(statusesOf(responses)).toEqual([200, 429, 429]);
      expect(head!.text).toBe('');
      expect(Object.keys(limitFields(head!))).toEqual(Object.keys(limitFields(get!)));
      expect(remainingOf([head!])).toEqual([0]);
      expect(head!.headers).toMatchObject({
        'content-type': 'application/problem+json; charset=utf-8',
        'cache-control': 'no-store',
      });
    });

    it('applies to one method of a route', async () => {
      const request = { path: '/problem', from: newAddress() };
      const post = { ...request, method: 'POST' };

      const responses = await site.sendEach([
        request,
        request,
        post,
        { ...post, body: '{}', headers: { 'Content-Type': 'application/json' } },
      ]);

      expect(statusesOf(responses)).toEqual([200, 429, 200, 429]);
      expect(remainingOf(responses)).toEqual([0, 0, 0, 0]);
    });

    it('C28 never becomes 304', async () => {
      const request = { path: '/problem', from: newAddress() };
      const [, denied] = await site.sendTimes(2, request);

      const again = await site.send({
        ...request,
        headers: {
          'If-None-Match': `${denied!.headers['etag'] ?? '"x"'}, *`,
          'If-Modified-Since': new Date().toUTCString(),
        },
      });

      expect(again.status).toBe(429);
    });
  });
}
