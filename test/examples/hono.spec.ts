import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { statusesOf } from '../support/responses.js';
import { siteAt, type Site } from '../support/site.js';
import { until } from '../support/until.js';
import { ExampleProcesses } from './example-process.js';

describe('The example hono-api', () => {
  const processes = new ExampleProcesses();
  let site: Site;

  beforeAll(async () => {
    const example = await processes.start({ name: 'hono-api', main: 'hono-api/main.js' });
    site = siteAt({ host: '127.0.0.1', port: Number(new URL(example.url).port) }, () => example.stop());
  });

  afterAll(() => site.close());

  it('counts searches five times, in the budget of the public route', async () => {
    const responses = await site.sendEach([{ path: '/search' }, { path: '/public' }, { path: '/health' }]);

    expect(statusesOf(responses)).toEqual([200, 200, 200]);
    expect(responses.map(({ headers }) => headers['x-ratelimit-remaining'])).toEqual(['95', '94', undefined]);
  });

  it('limits an API key, whatever its address has left', async () => {
    const responses = await site.sendTimes(6, { path: '/items', headers: { 'X-Api-Key': 'k' } });

    expect(statusesOf(responses)).toEqual([200, 200, 200, 200, 200, 429]);
  });

  const login = (user: string, password: string) => {
    const headers = { 'Content-Type': 'application/json' };
    return site.send({ method: 'POST', path: '/login', headers, body: JSON.stringify({ user, password }) });
  };
  const failuresOf = async (user: string, times: number) => {
    const statuses: number[] = [];
    for (let guess = 0; guess < times; guess += 1) statuses.push((await login(user, 'guess')).status);
    return statuses;
  };

  it.each(['ada', 'bob', 'constructor'])(
    'blocks the account %s after six failures, whether it exists or not',
    async (user) => {
      expect(await failuresOf(user, 7)).toEqual([401, 401, 401, 401, 401, 401, 429]);
    },
  );

  it('sends the same headers for accounts that exist and others', async () => {
    const answers = [await login('Ada', 'guess'), await login('mallory', 'guess')];
    const named = answers.map(({ headers }) => Object.keys(headers).filter((name) => /ratelimit/.test(name)));

    expect(named).toEqual([[], []]);
  });

  it('has a place for two streams of a client, until one leaves', async () => {
    const streams = [1, 2].map(() => site.start({ path: '/ticks' }).on('error', () => undefined));
    for (const stream of streams) await once(stream, 'response');
    const denied = await site.send({ path: '/ticks' });

    streams[0]!.destroy();
    const admitted = async () => {
      const again = site.start({ path: '/ticks' }).on('error', () => undefined);
      const [{ statusCode }] = (await once(again, 'response')) as [IncomingMessage];
      again.destroy();
      return statusCode === 200;
    };

    expect(denied.status).toBe(429);
    await expect(until(admitted)).resolves.toBeUndefined();
    streams[1]!.destroy();
  });
});
