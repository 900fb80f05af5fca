import { createLimiter } from '@sluice/core';
import { redisStore, type RedisOptions } from '@sluice/redis';
import { wireTo } from '../support/wire.js';
import { guidedClients, guidedGlide, type GuidedClient } from '../support/guided-clients.js';
import { startRedis } from '../support/redis.js';

/** Two seconds of silence, and the time to connect. */
const MAX_MS = 3_500;

const clients = Object.entries({ ...guidedClients, GLIDE: guidedGlide });

beforeEach(() => {
  jest.spyOn(process, 'emitWarning').mockImplementation();
});

afterEach(() => {
  jest.restoreAllMocks();
});

/** Milliseconds from the silence of a connection, while new ones work, to the next decision by Redis. */
async function silence(open?: (connection: RedisOptions) => Promise<GuidedClient> | GuidedClient): Promise<number> {
  const server = await startRedis();
  const wire = await wireTo(server);
  const client = await open?.({ url: wire.url });
  const store = redisStore(client ?? { url: wire.url });
  const limiter = createLimiter<string>({ store, name: 'silent', key: (user) => user, limit: 1_000_000, window: '1h' });
  const source = async () => (await limiter.consume('ada')).source;
  await store.ready();

  wire.freeze();
  const since = performance.now();
  while ((await source()) === 'redis') await pause();
  while ((await source()) !== 'redis' && performance.now() - since < 10_000) await pause();
  const lasted = performance.now() - since;

  await store.close();
  client?.disconnect();
  await wire.close();
  await server.stop();
  return lasted;
}

/** Between two requests. */
function pause(): Promise<unknown> {
  return new Promise((resolve) => setTimeout(resolve, 20));
}

describe('redisStore on a connection that the network has forgotten', () => {
  it('connects again with its own client', async () => {
    expect(await silence()).toBeLessThan(MAX_MS);
  });

  it.each(clients)('connects again with a client of the application, as the guide has it: %s', async (_name, open) => {
    expect(await silence(open)).toBeLessThan(MAX_MS);
  });
});
