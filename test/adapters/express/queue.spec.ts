import { once } from 'node:events';
import { get, type ClientRequest } from 'node:http';
import { memoryStore, rateLimit, type RateLimitHandler, type RateLimitOptions } from '@sluice/express';
import { fakeClock } from '@sluice/core/testing';
import type { Request, RequestHandler } from 'express';
import { statusesOf } from './fields.js';
import { served, versions } from './frameworks.js';
import { onEachStore } from './kept.js';
import { siteOpener, type Site } from './site.js';

/** One at a time, 50 ms apart, and two that wait. */
const short = { name: 'queue', algorithm: 'leaky-bucket', limit: 20, window: '1s', queue: 2 } as const;
/** One in half a minute: whoever waits is still there when a test is over. */
const long = { ...short, limit: 2, window: '1m' } as const;

describe.each(versions)('A queue on %s', (_version, express) => {
  const open = siteOpener();

  it('has requests wait for their turn, and denies those that it has no place for', async () => {
    const moments: number[] = [];
    // Places are given out at one moment, however long the requests take to arrive.
    const store = memoryStore({ clock: fakeClock() });
    const site = await open(
      served(express, rateLimit({ store, ...short }), (_request, _response, next) => {
        moments.push(performance.now());
        next();
      }),
    );

    const started = performance.now();
    const answers = await Promise.all(Array.from({ length: 5 }, () => site.ask()));

    expect(statusesOf(answers).filter((status) => status === 200)).toHaveLength(3);
    expect(statusesOf(answers).filter((status) => status === 429)).toHaveLength(2);
    // A timer may be early by a millisecond of the clock that it goes by.
    for (const [turn, moment] of moments.entries()) expect(moment - started).toBeGreaterThanOrEqual(turn * 50 - 2);
  });

  onEachStore((kept) => {
    it('gives the place of a client that has left to the next one', async () => {
      const gate = rateLimit({ store: kept.newStore(), ...long });
      const { site, free } = await standing(gate);
      await site.ask();
      const waiting = await wait(site, free, 1);

      waiting.destroy();
      await until(async () => (await free()) === 2);

      const { allowed, delay } = await gate.limiter.peek({ ip: '127.0.0.1' } as Request);
      expect(allowed).toBe(true);
      expect(delay).toBeLessThanOrEqual(30_000);
    });
  });

  it('does not give back what a client that left had taken of other tiers: looking is not free', async () => {
    const gate = rateLimit({ tiers: [{ name: 'day', limit: 10, window: '1d' }, long] });
    const { site, free } = await standing(gate);
    await site.ask();
    const waiting = await wait(site, free, 1);

    waiting.destroy();
    await until(async () => (await free()) === 2);

    const [day] = await gate.limiter.inspect({ ip: '127.0.0.1' }, { tiers: ['day'] });
    expect(day!.outcome.remaining).toBe(8);
  });

  it('does not serve a client that has left', async () => {
    let times = 0;
    const gate = rateLimit(long);
    const { site, free } = await standing(gate, () => {
      times += 1;
    });
    await site.ask();
    const waiting = await wait(site, free, 1);

    waiting.destroy();
    await until(async () => (await free()) === 2);

    expect(times).toBe(1);
  });

  it('gives the place of a request back that somebody has answered while it waited', async () => {
    const gate = rateLimit(long);
    let times = 0;
    const impatient: RequestHandler = (_request, response, next) => {
      setImmediate(() => {
        if (!response.headersSent) response.status(504).send('too slow');
      });
      next();
    };
    const site = await open(
      served(express, impatient, gate, (_request, _response, next) => {
        times += 1;
        next();
      }),
    );

    const answers = await site.askEach([{}, {}]);
    const [left] = await gate.limiter.inspect({ ip: '127.0.0.1' });

    expect(statusesOf(answers)).toEqual([200, 504]);
    expect({ times, left: left!.outcome.remaining }).toEqual({ times: 1, left: 2 });
  });

  it('keeps no place for a request that somebody has answered before it was given one', async () => {
    let decided = (): void => undefined;
    const counted = new Promise<void>((resolve) => (decided = resolve));
    const key = async () => {
      await new Promise(setImmediate);
      setImmediate(decided);
      return 'everybody';
    };
    const gate = rateLimit({ ...long, key });
    await gate.limiter.consume({} as Request);
    const early: RequestHandler = (_request, response, next) => {
      next();
      response.send('early');
    };
    const site = await open(served(express, early, gate));

    const answer = await site.ask();
    await counted;

    expect(answer.text).toBe('early');
    await until(async () => (await gate.limiter.inspect({}))[0]!.outcome.remaining === 2, 1_000);
  });

  it('tells the headers of a request that waited, and no error when it denies', async () => {
    const options: RateLimitOptions = {
      ...short,
      store: memoryStore({ clock: fakeClock() }),
      headers: ['x-ratelimit', 'draft-11'],
    };
    const site = await open(served(express, rateLimit(options)));

    const answers = await Promise.all(Array.from({ length: 4 }, () => site.ask()));

    const denied = answers.find(({ status }) => status === 429);
    const admitted = answers.filter(({ status }) => status === 200);
    expect(new Set(admitted.map(({ headers }) => headers['x-ratelimit-remaining']))).toEqual(new Set(['0', '1', '2']));
    expect(denied!.headers).toMatchObject({ 'retry-after': '1', 'x-ratelimit-limit': '3' });
  });

  /** A site behind a queue, and how many places the queue has free. */
  async function standing(gate: RateLimitHandler, serve: () => void = () => undefined) {
    const site = await open(
      served(express, gate, (_request, _response, next) => {
        serve();
        next();
      }),
    );
    const free = async () => {
      const [inspection] = await gate.limiter.inspect({ ip: '127.0.0.1' }, { tiers: ['queue'] });
      return inspection!.outcome.remaining;
    };
    return { site, free };
  }

  /** A request that waits for its turn, after which so many places are free. */
  async function wait(site: Site, free: () => Promise<number>, left: number): Promise<ClientRequest> {
    const request = get(site.address);
    request.on('error', () => undefined);
    await once(request, 'socket');
    await until(async () => (await free()) === left);
    return request;
  }
});

/** @param turns of the event loop in which it has to come true */
async function until(holds: () => Promise<boolean>, turns = Infinity): Promise<void> {
  for (let turn = 0; !(await holds()); turn += 1) {
    if (turn >= turns) throw new Error('it has not come true');
    await new Promise(setImmediate);
  }
}
