import { serve } from '@hono/node-server';
import { memoryStore } from '@sluice/core';
import type { Hono } from 'hono';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { createApp } from '../../examples/hono-api/app.js';
import { closeServer, siteAt, type Site } from '../support/site.js';
import { statusesOf } from '../support/responses.js';
import { until } from '../support/until.js';

describe('The example hono-api', () => {
  let site: Site;

  beforeAll(async () => {
    const { fetch } = createApp(memoryStore()) as Hono;
    const server = serve({ fetch, port: 0, hostname: '127.0.0.1' }) as Server;
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    site = siteAt({ host: '127.0.0.1', port }, () => closeServer(server));
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

  it('blocks an account after failures', async () => {
    const login = (password: string) => {
      const headers = { 'Content-Type': 'application/json' };
      return site.send({ method: 'POST', path: '/login', headers, body: JSON.stringify({ user: 'ada', password }) });
    };
    const statuses = [(await login('lovelace')).status];
    while (statuses.at(-1) !== 429 && statuses.length < 20) statuses.push((await login('guess')).status);

    expect(statuses.slice(0, 2)).toEqual([200, 401]);
    expect(statuses.at(-1)).toBe(429);
  });

  it('has a place for two streams of a client, until one leaves', async () => {
    const streams = [1, 2].map(() => site.start({ path: '/ticks' }).on('error', () => undefined));
    for (const stream of streams) await once(stream, 'response');
    const denied = await site.send({ path: '/ticks' });

    streams[0]!.destroy();
    const admitted = async () => {
      const again = site.start({ path: '/ticks' }).on('error', () => undefined);
      const [{ statusCode }] = await once(again, 'response');
      again.destroy();
      return statusCode === 200;
    };

    expect(denied.status).toBe(429);
    await expect(until(admitted)).resolves.toBeUndefined();
    streams[1]!.destroy();
  });
});
