import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { byIp, createLimiter, type HttpRequest } from '@sluice/http';
import { rateLimit } from '@sluice/express';
import { Redis } from 'ioredis';
import { versions } from '../../adapters/stacks/express.js';
import { bytesOf } from '../../support/raw-request.js';
import { signal } from '../../support/signal.js';
import { siteOpener } from '../../support/site.js';
import { until } from '../../support/until.js';
import { LIMIT, onEveryStack, onOneRedis } from './hostile.js';

/** The budget of all clients without a readable address. */
const UNKNOWN = 'unknown';

/** At once for an operator's `{ ip }`, which has no socket. */
const disconnected = ({ socket }: HttpRequest) => until(() => socket === undefined || socket.destroyed === true);

describe('a client that disconnects', () => {
  onEveryStack((world) => {
    it('counts by its address while the key is awaited', async () => {
      const [arrived, counted] = [signal(), signal()];
      const site = await world.open(async (request) => {
        arrived.give();
        await disconnected(request);
        setImmediate(() => counted.give());
        return byIp()(request);
      });
      const client = await send(site.port);

      await arrived.given;
      client.destroy();
      await counted.given;

      await until(async () => (await site.spentBy('127.0.0.1')) === 1);
      expect(await site.spentBy(UNKNOWN)).toBe(0);
    });

    it('does not delay other clients in a crowd', async () => {
      const site = await world.open(async (request) => nextTurn().then(() => byIp()(request)));
      const crowd = await Promise.all(Array.from({ length: 50 }, () => send(site.port)));

      for (const client of crowd) client.destroy();
      const [spent] = await site.spending([{}]);

      expect(spent).toBeGreaterThanOrEqual(1);
      expect(spent).toBeLessThanOrEqual(crowd.length + 1);
    });
  });

  onOneRedis((world) => {
    it('is counted while Redis works', async () => {
      const [arrived, left] = [signal(), signal()];
      const limiter = createLimiter<HttpRequest>({
        store: world.newStore(),
        name: 'hostile',
        key: byIp(),
        algorithm: 'fixed-window',
        limit: LIMIT,
        window: '1h',
      });
      const skip = (request: HttpRequest) => {
        arrived.give();
        void disconnected(request).then(left.give.bind(left));
        return false;
      };
      const site = await world.open(undefined, { routes: [{ path: '/', limits: [{ limiter, skip }] }] });
      const operator = new Redis(world.redis!.server.port);
      await operator.client('PAUSE', 10_000, 'WRITE');
      const client = await send(site.port);

      await arrived.given;
      client.destroy();
      await left.given;
      await operator.client('UNPAUSE');
      operator.disconnect();

      const [inspection] = await limiter.inspect({ ip: '127.0.0.1' });
      expect(inspection!.outcome.remaining).toBe(LIMIT - 1);
    });
  });

  describe.each(versions)('before the middleware of %s', (_version, express) => {
    const open = siteOpener();

    it('C49 shares the budget of clients without an address', async () => {
      jest.spyOn(process, 'emitWarning').mockReturnValue();
      const errors: unknown[] = [];
      const gate = rateLimit({ limit: LIMIT, window: '1h' });
      const app = express();
      app.use((request, _response, next) => void request.once('close', () => next()), gate);
      app.use(((error: unknown, _request: unknown, _response: unknown, next: () => void) => {
        errors.push(error);
        next();
      }) as never);
      const site = await open(app);
      const spentBy = async (ip: string) => {
        const [inspection] = await gate.limiter.inspect({ ip });
        return LIMIT - inspection!.outcome.remaining;
      };

      for (let count = 1; count <= 3; count += 1) {
        const client = await send(site.port);
        await nextTurn();
        client.destroy();
        await until(async () => (await spentBy(UNKNOWN)) === count);
      }

      expect([await spentBy('127.0.0.1'), errors]).toEqual([0, []]);
      jest.restoreAllMocks();
    });
  });
});

/** Sends a request and does not wait for the response. */
async function send(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(bytesOf({}));
  return socket;
}
