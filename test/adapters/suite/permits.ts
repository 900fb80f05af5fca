import { once } from 'node:events';
import type { ClientRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { byIp, createLimiter, type HttpRequest, type Limiter, type Store } from '@sluice/http';
import { newAddress } from '../../support/identities.js';
import { statusesOf } from '../../support/responses.js';
import { until } from '../../support/until.js';
import { served, type Reply } from '../stack.js';
import { siteOf, type World } from '../world.js';

const LIMIT = 3;

export function permits(world: World): void {
  describe('permits', () => {
    let limiter: Limiter<HttpRequest>;
    /** Ends the handlers that wait. */
    const ends: (() => void)[] = [];
    let running = 0;
    let mostRunning = 0;
    const endAll = () => ends.splice(0).forEach((end) => end());
    const run = async (work: () => Promise<Reply>): Promise<Reply> => {
      running += 1;
      mostRunning = Math.max(mostRunning, running);
      try {
        return await work();
      } finally {
        running -= 1;
      }
    };
    const waits = () => new Promise<void>((resolve) => ends.push(resolve));

    const site = siteOf(world, (store: Store) => {
      limiter = createLimiter<HttpRequest>({
        store,
        tiers: [
          { name: 'running', key: byIp(), algorithm: 'concurrency', limit: LIMIT },
          { name: 'hour', key: byIp(), limit: 1_000, window: '1h' },
        ],
      });
      const limits = [{ limiter, headers: ['draft-11', 'x-ratelimit'] as const }];
      return {
        routes: [
          { path: '/', limits, handle: () => run(async () => served()) },
          { path: '/empty', limits, handle: () => ({ status: 204, text: '' }) },
          {
            path: '/throws',
            limits,
            handle: () => {
              throw new Error('mine');
            },
          },
          {
            path: '/waits',
            limits,
            handle: () =>
              run(async () => {
                await waits();
                return served();
              }),
          },
          {
            path: '/cut',
            limits,
            handle: ({ request }) => {
              (request.socket as Socket).destroy();
              return served();
            },
          },
        ],
      };
    });
    const held = async (ip: string): Promise<number> => {
      const [inspection] = await limiter.inspect({ ip }, { tiers: ['running'] });
      return LIMIT - inspection!.outcome.remaining;
    };
    /** What is held when the server has noticed that clients have left. */
    const heldAtLast = async (ip: string): Promise<number> => {
      let units = await held(ip);
      for (let look = 0; look < 30 && units > 0; look += 1) units = await held(ip);
      return units;
    };
    const nothingHeld = (ip: string) => until(async () => (await held(ip)) === 0);
    const start = (path: string, from: string) => {
      const request = site.start({ path, from });
      request.on('error', () => undefined);
      return request;
    };

    afterEach(endAll);

    it.each(['/', '/empty', '/throws'])('end with the response of %s, on a connection that stays', async (path) => {
      const from = newAddress();

      await site.sendTimes(2 * LIMIT, { path, from });
      await site.send({ path, from, method: 'HEAD' });

      await expect(nothingHeld(from)).resolves.toBeUndefined();
    });

    it('bound how many requests run, deny the others with 429, and say so in draft-11 alone', async () => {
      const from = newAddress();
      mostRunning = 0;
      const waiting = Array.from({ length: LIMIT }, () => site.send({ path: '/waits', from }));
      await until(() => ends.length === LIMIT);

      const denied = await site.send({ from });
      endAll();
      const admitted = await Promise.all(waiting);

      expect(statusesOf([denied, ...admitted])).toEqual([429, 200, 200, 200]);
      expect(mostRunning).toBe(LIMIT);
      expect(denied.headers['retry-after']).toBe('1');
      expect(denied.headers['ratelimit-policy']).toContain('"running";q=3;qu="concurrent-requests"');
      expect(denied.headers['ratelimit']).toContain('"running";r=0');
      expect(denied.headers['ratelimit']).not.toContain('"running";r=0;t');
      expect(admitted[0]!.headers['x-ratelimit-limit']).toBe('1000');
      await nothingHeld(from);
    });

    it('outlast a client that disconnects, until its handler has ended', async () => {
      const from = newAddress();
      const request = start('/waits', from);
      await until(() => ends.length === 1);

      request.destroy();
      await closed(request);
      const whileItWorks = await heldAtLast(from);
      endAll();

      expect(whileItWorks).toBe(1);
      await expect(nothingHeld(from)).resolves.toBeUndefined();
    });

    it('bound the handlers at work, although clients leave and others come', async () => {
      const from = newAddress();
      let denials = 0;
      mostRunning = 0;
      for (let round = 1; round <= 3; round += 1) {
        const requests = Array.from({ length: LIMIT }, () => start('/waits', from));
        for (const request of requests) request.once('response', () => (denials += 1));
        await until(() => ends.length + denials === round * LIMIT);
        for (const request of requests) request.destroy();
        await Promise.all(requests.map(closed));
        await heldAtLast(from);
      }
      endAll();

      expect([mostRunning, denials]).toEqual([LIMIT, 2 * LIMIT]);
      await expect(nothingHeld(from)).resolves.toBeUndefined();
    });

    it('end when the server destroys the connection', async () => {
      const from = newAddress();
      const request = start('/cut', from);

      await closed(request);

      await expect(nothingHeld(from)).resolves.toBeUndefined();
    });

    it('end for every request of a pipeline whose client disconnects', async () => {
      const from = newAddress();
      const socket = 'port' in site.address ? connect(site.address) : connect(site.address.socketPath);
      socket.on('error', () => undefined);
      const lines = ['GET /waits HTTP/1.1', 'Host: localhost', `X-Forwarded-For: ${from}`, '', ''].join('\r\n');
      socket.write(lines + lines);
      await until(async () => (await held(from)) === 2);

      socket.destroy();
      endAll();

      await expect(nothingHeld(from)).resolves.toBeUndefined();
    });

    it('end when the client has left before the decision, or with its handler', async () => {
      const from = newAddress();
      const requests = Array.from({ length: 20 }, () => start('/waits', from));
      await Promise.all(requests.map((request) => once(request, 'socket')));

      for (const request of requests) setImmediate(() => request.destroy());
      await Promise.all(requests.map(closed));

      await until(async () => {
        endAll();
        return (await held(from)) === 0;
      });
    });
  });

  describe('permits that requests wait for', () => {
    const ends: (() => void)[] = [];
    let limiter: Limiter<HttpRequest>;
    let arrived = 0;
    const ofAddress = byIp();
    const key = (request: HttpRequest) => {
      arrived += 1;
      return ofAddress(request);
    };
    const site = siteOf(world, (store: Store) => {
      limiter = createLimiter<HttpRequest>({
        store,
        tiers: [{ name: 'waits', key, algorithm: 'concurrency', limit: 1, wait: '30s', queue: 2 }],
      });
      return {
        routes: [
          {
            path: '/',
            limits: [{ limiter }],
            handle: async () => {
              await new Promise<void>((resolve) => ends.push(resolve));
              return served();
            },
          },
        ],
      };
    });

    it('come in turn, to those whose clients have not left', async () => {
      const from = newAddress();
      const first = site.send({ from });
      await until(() => ends.length === 1);
      const leaving = site.start({ from });
      leaving.on('error', () => undefined);
      await until(() => arrived === 2);
      const last = site.send({ from });
      await until(() => arrived === 3);

      leaving.destroy();
      await closed(leaving);
      ends.shift()!();
      await until(() => ends.length === 1);
      ends.shift()!();

      expect(statusesOf(await Promise.all([first, last]))).toEqual([200, 200]);
      await until(async () => (await limiter.inspect({ ip: from }))[0]!.outcome.remaining === 1);
    });
  });
}

/** `once` of Node rejects at an error, which comes before. */
function closed(request: ClientRequest): Promise<void> {
  return new Promise((resolve) => void request.once('close', resolve));
}
