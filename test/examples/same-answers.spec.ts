import type { Api } from './api.js';
import { everywhere } from './examples.js';
import { freshApis } from './fresh-api.js';

const fresh = freshApis();

const key = { 'x-api-key': 'free-key' };
const halfABody = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"user":' };

/** Requests for each kind of answer, in this order. */
const requests: readonly [name: string, send: (api: Api) => Promise<Response>][] = [
  ['a route with a limit', (api) => api.get('/public')],
  ['its headers only', (api) => fetch(`${api.url}/public`, { method: 'HEAD' })],
  ['a costly request', (api) => api.get('/search?q=tea')],
  ['a route without a limit', (api) => api.get('/health')],
  ['a login', (api) => api.login('ada', 'lovelace')],
  ['a guess', (api) => api.login('ada', 'guess')],
  ['a guess for a name that is an object', (api) => api.login({ toLowerCase: 'ada' }, 'guess')],
  ['a login without a body', (api) => fetch(`${api.url}/login`, { method: 'POST' })],
  ['a login with half a body', (api) => fetch(`${api.url}/login`, halfABody)],
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

type Answers = Readonly<Record<string, Awaited<ReturnType<typeof comparable>>>>;

const [[first, place], ...rest] = everywhere as [(typeof everywhere)[number], ...typeof everywhere];
/** The other examples differ by their framework, not by their store. */
const others = rest.filter(([name, where]) => name === first || where === place);

describe('An example', () => {
  let expected: Answers;

  beforeAll(async () => {
    expected = await answersOf(await fresh.open(first, place));
  });

  it('answers with every kind of status', () => {
    const statuses = Object.values(expected).map(({ status }) => status);

    expect(new Set(statuses)).toEqual(new Set([200, 400, 401, 429]));
  });

  it.each(others)(`gives the headers and bodies of ${first}: %s, counting in %s`, async (name, where) => {
    expect(await answersOf(await fresh.open(name, where))).toEqual(expected);
  });
});

async function answersOf(api: Api): Promise<Answers> {
  const answers: Record<string, Answers[string]> = {};
  for (const [name, send] of requests) answers[name] = await comparable(await send(api));
  return answers;
}

/** The answer to the last of several requests. */
async function last(count: number, send: () => Promise<Response>): Promise<Response> {
  for (let index = 1; index < count; index += 1) await (await send()).arrayBuffer();
  return send();
}

/** An answer without the parts that differ between seconds, tokens, frameworks and their parsers. */
async function comparable(response: Response) {
  const names = ['content-type', 'cache-control', 'www-authenticate', 'x-powered-by', 'x-ratelimit-limit'];
  const headers = [...names, 'x-ratelimit-remaining', 'ratelimit-policy', 'ratelimit'];
  const timeless = (text: string | null) => text?.replace(/;t=\d+/g, ';t=').replace(/; charset=utf-8$/, '');
  const body = (await response.text()).replace(
    /\d+ seconds?|"retry-after":\d+|"token":"[^"]+"|\d+ minutes?|Unexpected end of JSON input|Body is not valid JSON[^"]+/g,
    '...',
  );
  return {
    status: response.status,
    headers: Object.fromEntries(headers.map((name) => [name, timeless(response.headers.get(name))])),
    reset: /^\d+$/.test(response.headers.get('x-ratelimit-reset') ?? ''),
    retryAfter: /^\d+$/.test(response.headers.get('retry-after') ?? ''),
    body,
  };
}
