import { times, type Api } from './api.js';
import { examples } from './examples.js';
import { freshApis } from './fresh-api.js';

const fresh = freshApis();

const key = { 'x-api-key': 'free-key' };

/** One request for each way to be answered, asked in this order. */
const questions: readonly [string, (api: Api) => Promise<Response>][] = [
  ['a route with a limit', (api) => api.get('/public')],
  ['a look at its headers', (api) => fetch(`${api.url}/public`, { method: 'HEAD' })],
  ['a dear request', (api) => api.get('/search?q=tea')],
  ['a route without a limit', (api) => api.get('/health')],
  ['a login', (api) => api.login('ada', 'lovelace')],
  ['a guess', (api) => api.login('ada', 'guess')],
  ['a login without a body', (api) => fetch(`${api.url}/login`, { method: 'POST' })],
  ['no token', (api) => api.get('/me')],
  ['a token of nobody', (api) => api.get('/me', { authorization: 'Bearer a.b.c' })],
  ['a token', async (api) => api.get('/me', await api.bearer('grace', 'hopper'))],
  ['a known key', (api) => api.get('/items', { 'x-api-key': 'pro-key' })],
  ['an unknown key', (api) => api.get('/items', { 'x-api-key': 'my-key' })],
  ['a report', (api) => api.get('/report')],
  ['a search too many', (api) => last(19, () => api.get('/search'))],
  ['a guess too many', (api) => last(5, () => api.login('ada', 'guess'))],
  ['an item too many', (api) => last(6, () => api.get('/items', key))],
  ['a client that wants plain text', (api) => api.get('/search', { accept: 'text/plain' })],
];

describe('The examples give the same answer, in headers and body, to', () => {
  const answers = new Map<string, unknown[]>();

  beforeAll(async () => {
    for (const { name } of examples) {
      const api = await fresh.open(name, 'memory');
      const told = [];
      for (const [, ask] of questions) told.push(await toldBy(await ask(api)));
      answers.set(name, told);
    }
  });

  it.each(questions.map(([question], index) => [question, index] as const))('%s', (_question, index) => {
    const [first] = answers.values();

    const given = examples.map(({ name }) => answers.get(name)![index]);

    expect(given).toEqual(times(examples.length, first![index]));
  });
});

/** The answer to the last of so many requests. */
async function last(count: number, ask: () => Promise<Response>): Promise<Response> {
  for (let index = 1; index < count; index += 1) await (await ask()).arrayBuffer();
  return ask();
}

/** What a client is told, without what differs from one second, token or framework to the other. */
async function toldBy(response: Response): Promise<unknown> {
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
