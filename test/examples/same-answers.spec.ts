import { times, type Api } from './api.js';
import { examples } from './examples.js';
import { freshApis } from './fresh-api.js';

const fresh = freshApis();

const key = { 'x-api-key': 'free-key' };

/** Requests for each kind of answer, in this order. */
const requests: readonly [string, (api: Api) => Promise<Response>][] = [
  ['a route with a limit', (api) => api.get('/public')],
  ['its headers only', (api) => fetch(`${api.url}/public`, { method: 'HEAD' })],
  ['a costly request', (api) => api.get('/search?q=tea')],
  ['a route without a limit', (api) => api.get('/health')],
  ['a login', (api) => api.login('ada', 'lovelace')],
  ['a guess', (api) => api.login('ada', 'guess')],
  ['a login without a body', (api) => fetch(`${api.url}/login`, { method: 'POST' })],
  ['no token', (api) => api.get('/me')],
  ['an invalid token', (api) => api.get('/me', { authorization: 'Bearer a.b.c' })],
  ['a token', async (api) => api.get('/me', await api.bearer('grace', 'hopper'))],
  ['a known key', (api) => api.get('/items', { 'x-api-key': 'pro-key' })],
  ['an unknown key', (api) => api.get('/items', { 'x-api-key': 'my-key' })],
  ['a report', (api) => api.get('/report')],
  ['a search above the limit', (api) => last(19, () => api.get('/search'))],
  ['a guess above the limit', (api) => last(7, () => api.login('linus', 'guess'))],
  ['an item above the limit', (api) => last(6, () => api.get('/items', key))],
  ['a client that wants plain text', (api) => api.get('/search', { accept: 'text/plain' })],
];

describe('The examples give the same headers and body for', () => {
  const answers = new Map<string, unknown[]>();

  beforeAll(async () => {
    for (const { name } of examples) {
      const api = await fresh.open(name, 'memory');
      const answered = [];
      for (const [, send] of requests) answered.push(await comparable(await send(api)));
      answers.set(name, answered);
    }
  });

  it.each(requests.map(([request], index) => [request, index] as const))('%s', (_request, index) => {
    const [first] = answers.values();

    const given = examples.map(({ name }) => answers.get(name)![index]);

    expect(given).toEqual(times(examples.length, first![index]));
  });
});

/** The answer to the last of several requests. */
async function last(count: number, send: () => Promise<Response>): Promise<Response> {
  for (let index = 1; index < count; index += 1) await (await send()).arrayBuffer();
  return send();
}

/** An answer without the parts that differ between seconds, tokens and frameworks. */
async function comparable(response: Response): Promise<unknown> {
  const names = ['content-type', 'cache-control', 'www-authenticate', 'x-powered-by', 'x-ratelimit-limit'];
  const headers = [...names, 'x-ratelimit-remaining', 'ratelimit-policy', 'ratelimit'];
  const timeless = (text: string | null) => text?.replace(/;t=\d+/g, ';t=').replace(/; charset=utf-8$/, '');
  const body = (await response.text()).replace(/\d+ seconds?|"token":"[^"]+"|\d+ minutes?/g, '...');
  return {
    status: response.status,
    headers: Object.fromEntries(headers.map((name) => [name, timeless(response.headers.get(name))])),
    reset: /^\d+$/.test(response.headers.get('x-ratelimit-reset') ?? ''),
    retryAfter: /^\d+$/.test(response.headers.get('retry-after') ?? ''),
    body,
  };
}
