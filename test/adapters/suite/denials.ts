import type { Denied, HttpRequest } from '@sluice/core';
import { limitFields, statusesOf } from '../express/fields.js';
import { left } from '../told.js';
import { newAddress } from '../visitors.js';
import { siteOf, type World } from '../world.js';

const hour = { algorithm: 'fixed-window', limit: 1, window: '1h' } as const;

export function denials(world: World): void {
  describe('a denial', () => {
    let handled = 0;
    const count = () => {
      handled += 1;
      return { status: 200, text: 'served' };
    };
    const site = siteOf(world, () => ({
      routes: [
        { path: '/problem', limits: [{ ...hour, name: 'problem' }], handle: count },
        { path: '/problem', method: 'POST', limits: [{ ...hour, name: 'problem-of-post' }], handle: count },
        { path: '/never', limits: [{ ...hour, name: 'never', cost: () => 2 }], handle: count },
        { path: '/nobody', limits: [{ ...hour, name: 'nobody', limit: () => 0 }], handle: count },
        { path: '/text', limits: [{ ...hour, name: 'text', body: 'slow down' }] },
        { path: '/value', limits: [{ ...hour, name: 'value', body: { slow: 'down' } }] },
        {
          path: '/function',
          limits: [
            {
              ...hour,
              name: 'function',
              body: async ({ problem, decision }: Denied<HttpRequest>) => ({ ...problem, by: decision.deniedBy }),
            },
          ],
        },
        { path: '/quiet', limits: [{ ...hour, name: 'quiet', headers: [] }] },
      ],
    }));
    const deniedAt = async (path: string, headers: Record<string, string> = {}) => {
      const [, denied] = await site.askTimes(2, { path, from: newAddress(), headers });
      return denied!;
    };

    it('is 429 with problem details that name the policy, and is not to be stored', async () => {
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
        'violated-policies': ['problem'],
      });
    });

    it('never comes to the handler', async () => {
      handled = 0;

      const answers = await site.askTimes(4, { path: '/problem', from: newAddress() });

      expect(statusesOf(answers)).toEqual([200, 429, 429, 429]);
      expect(handled).toBe(1);
    });

    it('is no error to the framework', async () => {
      await deniedAt('/problem');

      expect(site.errors).toEqual([]);
    });

    it('costs nothing: the wait does not grow', async () => {
      const [, ...denied] = await site.askTimes(4, { path: '/problem', from: newAddress() });

      const waits = denied.map(({ headers }) => Number(headers['retry-after']));
      expect(waits).toEqual(waits.toSorted((one, other) => other - one));
    });

    it.each(['/never', '/nobody'])('is 422 where waiting does not help, and charges nothing: %s', async (path) => {
      const [first, second] = await site.askTimes(2, { path, from: newAddress() });

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
    });

    it('is text for who accepts nothing else', async () => {
      const { status, headers, text } = await deniedAt('/problem', { Accept: 'text/plain' });

      expect(status).toBe(429);
      expect(headers['content-type']).toBe('text/plain; charset=utf-8');
      expect(text).toBe(
        `Request cannot be satisfied as assigned quota has been exceeded. Too many requests. Retry in ${headers['retry-after']} seconds.\n`,
      );
    });

    it.each([
      ['application/json', 'application/json; charset=utf-8'],
      ['application/problem+json', 'application/problem+json; charset=utf-8'],
      ['text/html, */*;q=0.8', 'application/problem+json; charset=utf-8'],
      ['image/png', 'application/problem+json; charset=utf-8'],
      ['nonsense;;,q', 'application/problem+json; charset=utf-8'],
    ])('for who accepts %s is %s', async (accept, contentType) => {
      const { headers, text } = await deniedAt('/problem', { Accept: accept });

      expect(headers['content-type']).toBe(contentType);
      expect(JSON.parse(text)).toMatchObject({ status: 429 });
    });

    it.each([
      ['/text', 'text/plain; charset=utf-8', 'slow down'],
      ['/value', 'application/json; charset=utf-8', '{"slow":"down"}'],
    ])('has the body that the application says: %s', async (path, contentType, body) => {
      const { status, headers, text } = await deniedAt(path);

      expect([status, headers['content-type'], text]).toEqual([429, contentType, body]);
    });

    it('has the body that a function of the application makes', async () => {
      const { headers, text } = await deniedAt('/function');

      expect(headers['content-type']).toBe('application/problem+json; charset=utf-8');
      expect(JSON.parse(text)).toMatchObject({ status: 429, by: ['function'] });
    });

    it('tells when to come back also where no limits are told', async () => {
      const { headers, trailers } = await deniedAt('/quiet');

      expect(Object.keys(limitFields({ headers, trailers }))).toEqual(['retry-after']);
    });

    it('of HEAD has the headers and no body, and HEAD counts with GET', async () => {
      const question = { path: '/problem', from: newAddress() };

      const got = await site.ask(question);
      const head = await site.ask({ ...question, method: 'HEAD' });
      const again = await site.ask(question);

      expect(statusesOf([got, head, again])).toEqual([200, 429, 429]);
      expect(head.text).toBe('');
      expect(head.headers).toMatchObject({
        'content-type': 'application/problem+json; charset=utf-8',
        'cache-control': 'no-store',
        'x-ratelimit-remaining': '0',
        'retry-after': expect.stringMatching(/^3(60[01]|5\d\d)$/) as string,
      });
    });

    it('is of one route alone: another method has its own limit', async () => {
      const question = { path: '/problem', from: newAddress() };

      const answers = [
        ...(await site.askTimes(2, question)),
        await site.ask({ ...question, method: 'POST' }),
        await site.ask({ ...question, method: 'POST', body: '{}', headers: { 'Content-Type': 'application/json' } }),
      ];

      expect(statusesOf(answers)).toEqual([200, 429, 200, 429]);
      expect(left(answers)).toEqual([0, 0, 0, 0]);
    });

    it('turns into no 304, whatever the client has', async () => {
      const question = { path: '/problem', from: newAddress() };
      const [, denied] = await site.askTimes(2, question);

      const again = await site.ask({
        ...question,
        headers: { 'If-None-Match': denied!.headers['etag'] ?? '*', 'If-Modified-Since': new Date().toUTCString() },
      });

      expect(again.status).toBe(429);
    });
  });
}
