import { once } from 'node:events';
import { connect } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { memoryStore } from '@sluice/core';
import { rateLimit, type Decision, type HookOptions } from '@sluice/fastify';
import { fastify, type FastifyInstance } from 'fastify';
import { statusesOf } from '../express/fields.js';
import { signal } from './signal.js';
import { siteOpener } from './site.js';

const shaped: HookOptions = { name: 'report', algorithm: 'leaky-bucket', queue: 3, limit: 10, window: '1s' };
const slow: HookOptions = { name: 'report', algorithm: 'leaky-bucket', queue: 3, limit: 1, window: '1h' };

describe('A request that is shaped', () => {
  const open = siteOpener();

  it('waits for its turn, and one that finds the queue full is denied', async () => {
    const served: number[] = [];
    const app = fastify();
    // All five come at the same time, however busy the machine is.
    const store = memoryStore({ clock: () => 1.7e12 });
    await app.register(rateLimit, { ...shaped, store });
    app.get('/', () => {
      served.push(performance.now());
      return 'served';
    });
    const site = await open(app);
    const began = performance.now();

    const answers = await Promise.all(Array.from({ length: 5 }, () => site.ask()));

    expect(statusesOf(answers).toSorted((a, b) => a - b)).toEqual([200, 200, 200, 200, 429]);
    // A place each 100 ms from the first request on; a timer may be early by a millisecond, and late by anything.
    const places = served.map((time) => time - began);
    for (const [place, waited] of places.entries()) expect(waited).toBeGreaterThan(place * 100 - 2);
  });

  it('gives its place back when its client leaves, and reaches no handler', async () => {
    const { app, decisions, handler } = await queueing();
    const site = await open(app);
    await site.ask();
    const leaving = site.begin();
    leaving.on('error', () => {});
    await decisions.second.given;

    const given = refundOf(app);
    leaving.destroy();
    await given;

    const next = site.begin();
    next.on('error', () => {});
    const decision = await decisions.third.given;
    next.destroy();
    expect(handler).toHaveBeenCalledTimes(1);
    expect(decision.outcomes[0]).toMatchObject({ remaining: 2 });
  });

  it('gives its place back over HTTP/2 too', async () => {
    const { app, decisions, handler } = await queueing({ http2: true });
    await app.listen({ port: 0, host: '127.0.0.1' });
    const client = connect(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}`);
    const first = client.request({ ':path': '/' });
    await once(first, 'response');
    const leaving = client.request({ ':path': '/' });
    await decisions.second.given;

    const given = refundOf(app);
    leaving.close();
    await given;

    expect(handler).toHaveBeenCalledTimes(1);
    client.destroy();
    await app.close();
  });

  it('takes its turn alone when other limiters come after it', async () => {
    const app = fastify();
    await app.register(rateLimit, shaped);
    app.get('/', { preHandler: app.rateLimit({ limit: 2, window: '1h' }) }, () => 'served');
    const site = await open(app);

    const answers = await Promise.all([site.ask(), site.ask(), site.ask()]);

    expect(statusesOf(answers).toSorted((a, b) => a - b)).toEqual([200, 200, 429]);
  });

  /** An app that serves one request an hour, and says what was decided about the second and the third. */
  async function queueing(server: object = {}) {
    const decisions = { second: signal<Decision>(), third: signal<Decision>() };
    const asked: Decision[] = [];
    const handler = jest.fn(() => 'served');
    const app = fastify(server) as FastifyInstance;
    await app.register(rateLimit, { global: false });
    const hook = app.rateLimit(slow);
    hooks.set(app, hook);
    const { limiter } = hook;
    const consume = limiter.consume.bind(limiter);
    jest.spyOn(limiter, 'consume').mockImplementation(async (...args) => {
      const decision = await consume(...args);
      asked.push(decision);
      if (asked.length === 2) setImmediate(() => decisions.second.give(decision));
      if (asked.length === 3) setImmediate(() => decisions.third.give(decision));
      return decision;
    });
    app.get('/', { onRequest: hook }, handler);
    return { app, decisions, handler };
  }
});

const hooks = new WeakMap<object, { limiter: { refund: (...args: never[]) => Promise<number> } }>();

/** Resolves when the limiter of an app has given something back. */
function refundOf(app: object): Promise<number> {
  const { limiter } = hooks.get(app)!;
  const refund = limiter.refund.bind(limiter);
  return new Promise((resolve) => {
    limiter.refund = async (...args) => {
      const units = await refund(...args);
      resolve(units);
      return units;
    };
  });
}
