import { memoryStore } from '@sluice/express';
import { fakeClock } from '@sluice/testing';
import { createApi } from '../../examples/agents-one-key/src/api.js';
import { sendTask } from '../../examples/agents-one-key/src/agents.js';
import { withRedisStore } from '../support/redis-store.js';
import { siteOpener } from '../support/site.js';

const as = (token: string, more: Record<string, string> = {}) => ({
  method: 'POST',
  path: '/tasks',
  headers: { authorization: `Bearer ${token}`, ...more },
});

describe('the example agents-one-key', () => {
  const redis = withRedisStore(({ store }) => store.ready());
  const open = siteOpener();

  it('tells agents that come together moments one after the other, and serves each at its own', async () => {
    const clock = fakeClock();
    const site = await open(createApi({ limit: 60, store: memoryStore({ clock }) }));
    await site.sendTimes(60, as('demo-token-39'));
    const tokens = Array.from({ length: 30 }, (_, index) => `demo-token-${index}`);

    const waits: number[] = [];
    for (const token of tokens) waits.push(Number((await site.send(as(token))).headers['retry-after-ms']));
    const statuses: number[] = [];
    for (const token of tokens) {
      clock.advance(1_000);
      statuses.push((await site.send(as(token))).status);
    }

    expect(waits).toEqual(tokens.map((_, index) => 1_000 * (index + 1)));
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  it('has agents that come back by themselves until their tasks are taken, on Redis', async () => {
    const site = await open(createApi({ limit: 120, store: redis.store }));
    for (let status = 0; status !== 429;) status = (await site.send(as('demo-token-39'))).status;

    const tokens = Array.from({ length: 4 }, (_, index) => `demo-token-${index}`);
    const sent = await Promise.all(tokens.map((token) => sendTask(`http://127.0.0.1:${site.port}`, token)));

    expect(sent.map(({ token }) => token)).toEqual(tokens);
  });

  it('tells an agent its own place again when it comes early, and gives it no second one', async () => {
    const site = await open(createApi({ limit: 60, store: memoryStore({ clock: fakeClock() }) }));
    await site.sendTimes(60, as('demo-token-0'));

    const first = await site.send(as('demo-token-1'));
    const other = await site.send(as('demo-token-2'));
    const early = await site.sendTimes(5, as('demo-token-1'));
    const ms = (response: { headers: Record<string, unknown> }) => Number(response.headers['retry-after-ms']);

    expect([first, other, ...early].map(ms)).toEqual([1_000, 2_000, ...early.map(() => 1_000)]);
  });

  it('answers made-up tokens and names of agents with 401, or by the token alone', async () => {
    const site = await open(createApi({ limit: 60 }));
    const unknown = await site.sendEach(['', 'demo-token-40', '__proto__'].map((token) => as(token)));
    await site.sendTimes(60, as('demo-token-0'));

    const named = await site.sendEach(
      ['a', 'b', 'c'].map((name) => as('demo-token-1', { 'x-agent': name, 'x-worker': name })),
    );
    const waits = named.map(({ headers }) => Number(headers['retry-after-ms']));

    expect(unknown.map(({ status }) => status)).toEqual([401, 401, 401]);
    // One place for all of them.
    expect(Math.max(...waits)).toBe(waits[0]);
  });
});
