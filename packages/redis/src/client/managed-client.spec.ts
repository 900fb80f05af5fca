import { once } from 'node:events';
import { Redis } from 'ioredis';
import { Redis as Redis5 } from '../../../../test/support/ioredis-5.js';
import { startRedis, type RedisServer } from '../../../../test/support/redis.js';
import { claim } from '../../../../test/support/claim.js';
import { patient } from '../../../../test/support/patient.js';
import { wireOf } from '../../../core/src/stores/wires.js';
import { redisStore } from '../redis-store.js';
import { ManagedClient, type IoredisClient } from './managed-client.js';

let server: RedisServer;
let admin: Redis;

beforeAll(async () => {
  server = await startRedis();
  admin = new Redis(server.port);
});

afterAll(async () => {
  admin.disconnect();
  await server.stop();
});

describe('ManagedClient', () => {
  it('waits for a script until the deadline of the store, longer than for other commands', async () => {
    const store = redisStore({ url: server.url }, { deadline: '5s' });
    const { receipts } = await store.consume([claim()]);
    await admin.client('PAUSE', 1_200, 'ALL');

    const [{ outcomes }, refunded] = await Promise.all([store.consume([claim()]), store.refund(receipts)]);
    await store.close();

    expect([outcomes[0]!.remaining, refunded]).toEqual([9, 1]);
  });

  it('adds the keyPrefix of ioredis to every key', async () => {
    const store = redisStore({ url: server.url, connection: { keyPrefix: 'app:' } }, patient);
    const one = claim({ record: 'a text' });

    for (let check = 0; check < 2; check += 1) await store.consume([one]);
    const { outcomes } = await store.peek([one]);
    const texts = await store.recorded(one.key);
    const keys = await admin.keys(`*${one.key}*`);
    await store.close();

    expect([outcomes[0]!.remaining, texts]).toEqual([8, ['a text', 'a text']]);
    expect(keys.toSorted()).toEqual([`app:${one.key}`, `app:${one.key}:notes`]);
  });

  it('sends the keys and arguments of a script as text', async () => {
    const store = redisStore({ url: server.url }, patient);
    const one = claim({ record: 'naïve \r\n 💥' });

    await store.consume([{ ...one, record: undefined }]);
    await store.consume([one]);
    await store.consume([one]);
    const texts = await store.recorded(one.key);
    await store.close();

    expect(texts).toEqual([one.record, one.record]);
  });

  it.each([
    [5, Redis5 as unknown as typeof Redis],
    [6, Redis],
  ])('keeps the reason of a server that refuses connections, on ioredis %i', async (_version, Client) => {
    const full = await startRedis();
    const only = new Redis(full.port);
    await only.config('SET', 'maxclients', '1');
    const options = { lazyConnect: true, enableOfflineQueue: false, maxRetriesPerRequest: 0, retryStrategy: () => 5 };
    const ioredis = new Client(full.port, options) as unknown as IoredisClient;
    const client = new ManagedClient(ioredis, false);
    const refused = 'ERR max number of clients reached';
    while (client.lastError?.message !== refused) await once(client, 'close');

    const reasons = new Set<string | undefined>();
    for (let attempt = 0; attempt < 30; attempt += 1) {
      await once(client, 'close');
      reasons.add(client.lastError?.message);
    }
    await client.end();
    only.disconnect();
    await full.stop();

    expect([...reasons]).toEqual([refused]);
  });

  it('sends commands of one class from all clients, because V8 compiles ioredis again for each class', async () => {
    const classes = await Promise.all(
      [0, 1].map(async () => {
        const store = redisStore({ url: server.url }, patient);
        const send = jest.spyOn(wireOf(store)!.client as Redis, 'sendCommand');
        // The first is sent by the text of its script.
        await store.consume([claim()]);
        await store.consume([claim()]);
        await store.close();
        return send.mock.calls.map(([command]) => command).find(({ name }) => name === 'evalsha')!.constructor;
      }),
    );

    expect(classes[0]).toBe(classes[1]);
  });
});
