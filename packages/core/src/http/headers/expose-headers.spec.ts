import { exchange } from '../../testing/internal/exchange.js';
import { exposeHeaders } from './expose-headers.js';

const NAME = 'Access-Control-Expose-Headers';

describe('exposeHeaders', () => {
  it('C33 names the headers', () => {
    expect(exposed(undefined)).toBe('RateLimit, Retry-After');
  });

  it.each<[string, string | string[], string]>([
    ['one', 'ETag', 'ETag, RateLimit, Retry-After'],
    ['several, however they are spaced', ' ETag ,Link', 'ETag, Link, RateLimit, Retry-After'],
    ['one of them, in another case', 'ETag, ratelimit', 'ETag, ratelimit, Retry-After'],
    ['those of a field that was set as a list', ['ETag', 'Link'], 'ETag, Link, RateLimit, Retry-After'],
    ['no name at all', '', 'RateLimit, Retry-After'],
  ])('C33 keeps what is exposed already: %s', (_what, before, after) => {
    expect(exposed(before)).toBe(after);
  });

  it.each(['*', 'ETag, *'])('C33 leaves %s alone, which exposes all', (before) => {
    expect(exposed(before)).toBe(before);
  });

  it('C33 takes an asterisk for the name that it is where credentials are allowed', () => {
    const { response } = exchange();
    response.setHeader(NAME, '*').setHeader('Access-Control-Allow-Credentials', 'true');

    exposeHeaders(response, ['RateLimit']);

    expect(response.getHeader(NAME)).toBe('*, RateLimit');
  });

  it('C33 names a header once, however often it is asked for', () => {
    const { response } = exchange();

    for (let count = 0; count < 3; count += 1) exposeHeaders(response, ['RateLimit']);

    expect(response.getHeader(NAME)).toBe('RateLimit');
  });

  it('sets nothing where there is nothing to add', () => {
    const { response } = exchange();

    exposeHeaders(response, []);

    expect(response.hasHeader(NAME)).toBe(false);
  });
});

function exposed(before: string | string[] | undefined): unknown {
  const { response } = exchange();
  if (before !== undefined) response.setHeader(NAME, before);
  exposeHeaders(response, ['RateLimit', 'Retry-After']);
  return response.getHeader(NAME);
}
