import { exchange } from '../../../../test/support/exchange.js';
import { exposeHeaders } from './expose-headers.js';

const NAME = 'Access-Control-Expose-Headers';

describe('exposeHeaders', () => {
  it.each<[string, string | string[] | undefined, string]>([
    ['nothing', undefined, 'RateLimit, Retry-After'],
    ['an empty text', '', 'RateLimit, Retry-After'],
    ['one header', 'ETag', 'ETag, RateLimit, Retry-After'],
    ['several headers', ' ETag ,Link', 'ETag, Link, RateLimit, Retry-After'],
    ['one of the new headers', 'ETag, ratelimit', 'ETag, ratelimit, Retry-After'],
    ['an array', ['ETag', 'Link'], 'ETag, Link, RateLimit, Retry-After'],
    ['all headers', '*', '*'],
    ['all headers and one more', 'ETag, *', 'ETag, *'],
  ])('C33 adds names to %s', (_case, before, after) => {
    const { response } = exchange();
    if (before !== undefined) response.setHeader(NAME, before);

    for (const _ of [1, 2]) exposeHeaders(response, ['RateLimit', 'Retry-After']);

    expect(response.getHeader(NAME)).toBe(after);
  });

  it('C33 adds names to an asterisk with credentials, where it means one header', () => {
    const { response } = exchange();
    response.setHeader(NAME, '*').setHeader('Access-Control-Allow-Credentials', 'true');

    exposeHeaders(response, ['RateLimit']);

    expect(response.getHeader(NAME)).toBe('*, RateLimit');
  });

  it('sets no header without names', () => {
    const { response } = exchange();

    exposeHeaders(response, []);

    expect(response.hasHeader(NAME)).toBe(false);
  });
});
