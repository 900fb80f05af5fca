import { newAddress } from '../../support/identities.js';
import { limitFields, remainingOf, statusesOf } from '../../support/responses.js';
import type { StackSite } from '../world.js';

/**
 * What an application with the routes of an outage answers while its store does not.
 *
 * @param site while tests run
 * @param handled how many requests have reached a handler behind a limit that must deny
 */
export function outageAnswers(site: () => StackSite, handled: () => number): void {
  it('C44 limits in the process, and reports its share', async () => {
    const responses = await site().sendTimes(3, { path: '/local', from: newAddress() });

    const [first, , denied] = responses;
    expect(statusesOf(responses)).toEqual([200, 200, 429]);
    expect(remainingOf(responses)).toEqual([1, 0, 0]);
    expect(first!.text).toBe('local true');
    expect(limitFields(first!)).toMatchObject({
      'x-ratelimit-limit': '2',
      'x-ratelimit-reset': expect.stringMatching(/^\d{10}$/),
      'ratelimit-policy': '"local";q=2;w=3600',
      ratelimit: expect.stringMatching(/^"local";r=1;t=\d+$/),
    });
    expect(Number(denied!.headers['retry-after'])).toBeGreaterThan(5);
    expect(JSON.parse(denied!.text)).toMatchObject({
      type: 'https://iana.org/assignments/http-problem-types#quota-exceeded',
      status: 429,
      'violated-policies': ['local'],
    });
  });

  it('C44 admits without fields where the limit says allow', async () => {
    const responses = await site().sendTimes(8, { path: '/allow', from: newAddress() });

    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`))).toEqual(new Set(['200 none true']));
    expect(responses.map(limitFields)).toEqual(responses.map(() => ({})));
  });

  it('C27 C32 C44 answers 503 where the limit says deny, and reports no limits, no Redis and no identity', async () => {
    const response = await site().send({ path: '/deny', from: newAddress() });

    const { 'retry-after': wait } = limitFields(response);
    expect([response.status, response.reason]).toEqual([503, 'Service Unavailable']);
    expect(limitFields(response)).toEqual({ 'retry-after': expect.stringMatching(/^[1-5]$/) });
    expect(response.headers).toMatchObject({
      'cache-control': 'no-store',
      'content-type': 'application/problem+json; charset=utf-8',
    });
    expect(JSON.parse(response.text)).toEqual({
      type: 'https://iana.org/assignments/http-problem-types#temporary-reduced-capacity',
      title: 'Request cannot be satisfied due to temporary server capacity constraints',
      status: 503,
      detail: `The limits of this service cannot be checked at the moment. Retry in ${wait} second${wait === '1' ? '' : 's'}.`,
      'retry-after': Number(wait),
    });
  });

  it('C29 C32 answers 503 as text on request, and without a body to HEAD', async () => {
    const [text, head] = await site().sendEach([
      { path: '/deny', headers: { Accept: 'text/plain' } },
      { path: '/deny', method: 'HEAD' },
    ]);

    expect(statusesOf([text!, head!])).toEqual([503, 503]);
    expect(text!.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(head!.text).toBe('');
  });

  it('C32 C44 spreads Retry-After, reaches no handler and never answers 429', async () => {
    const responses = await site().sendTimes(40, { path: '/deny', from: newAddress() });

    expect(new Set(statusesOf(responses))).toEqual(new Set([503]));
    expect(new Set(responses.map(({ headers }) => headers['retry-after'])).size).toBeGreaterThan(1);
    expect([handled(), site().errors]).toEqual([0, []]);
  });

  it('reports limits of another store together with a 503', async () => {
    const response = await site().send({ path: '/beside', from: newAddress() });

    expect(response.status).toBe(503);
    expect(limitFields(response)).toMatchObject({
      'retry-after': expect.stringMatching(/^[1-5]$/),
      'ratelimit-policy': '"alive";q=6;w=3600',
    });
  });
}
