import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { byIp } from '@sluice/express';
import type { Request } from 'express';
import { Redis } from 'ioredis';
import { Post } from './post.js';
import { bytesOf } from './raw-request.js';
import { inEveryWorld, inEveryWorldOfRedis } from './worlds.js';

/** An address that cannot be read: what all share who have none. */
const NOBODY = 'nobody';

describe('A client that leaves', () => {
  inEveryWorld((world) => {
    it('before the limiter is reached counts with all who have no address any more', async () => {
      const post = new Post();
      const site = await world.open({ before: [post.hold] });

      for (let leaver = 0; leaver < 3; leaver += 1) {
        const client = await send(site.port);
        await post.arrival();
        client.destroy();
        await post.departure();
        post.pass();
      }

      await nextTurn();
      expect([await site.spentBy(NOBODY), await site.spentBy('127.0.0.1')]).toEqual([3, 0]);
    });

    it('while the limiter asks for a key counts by the address that it came with', async () => {
      const post = new Post();
      const passing = post.passing();
      const key = async (request: Request) => passing.then(() => byIp()(request));
      const site = await world.open({ before: [post.watch], key });
      const client = await send(site.port);

      await post.arrival();
      client.destroy();
      await post.departure();
      post.pass();

      await nextTurn();
      expect([await site.spentBy(NOBODY), await site.spentBy('127.0.0.1')]).toEqual([0, 1]);
    });

    it('while the application works stays counted, whatever would be given back', async () => {
      const post = new Post();
      const site = await world.open({ behind: [post.hold], limiter: { refundWhen: () => true } });
      const client = await send(site.port);

      await post.arrival();
      client.destroy();
      await post.departure();
      post.pass();

      await nextTurn();
      expect(await site.spentBy('127.0.0.1')).toBe(1);
    });

    it('while it waits in a queue gives its place back, and is not served', async () => {
      const post = new Post();
      const site = await world.open({
        before: [post.watch],
        limiter: { algorithm: 'leaky-bucket', limit: 1, window: '10m', queue: 1 },
      });
      await site.spending([{}]);
      const client = await send(site.port);
      await post.arrival();
      const full = await site.spending([{}]);

      client.destroy();
      await post.departure();

      await nextTurn();
      expect(full).toEqual([429]);
      expect(await site.spentBy('127.0.0.1')).toBe(1);
      expect(site.served).toBe(1);
    });

    it('in a crowd keeps nobody else from being served', async () => {
      const site = await world.open({ key: async (request) => nextTurn().then(() => byIp()(request)) });
      const crowd = await Promise.all(Array.from({ length: 50 }, () => send(site.port)));

      for (const client of crowd) client.destroy();
      const [spent] = await site.spending([{}]);

      expect(spent).toBeGreaterThanOrEqual(1);
      expect(spent).toBeLessThanOrEqual(crowd.length + 1);
    });
  });

  inEveryWorldOfRedis((world) => {
    it('while Redis is asked is counted', async () => {
      const post = new Post();
      const site = await world.open({ before: [post.watch] });
      await site.spending([{}]);
      const operator = new Redis(world.redis.port);
      await operator.client('PAUSE', 10_000, 'WRITE');
      const client = await send(site.port);

      await post.arrival();
      client.destroy();
      await post.departure();
      await operator.client('UNPAUSE');
      operator.disconnect();

      expect(await site.spentBy('127.0.0.1')).toBe(2);
    });
  });
});

/** Sends a request and does not wait for the answer. */
async function send(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(bytesOf({}));
  return socket;
}
