import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { Redis } from 'ioredis';
import { Redis as Valkey } from 'iovalkey';
import { createClient } from 'redis';
import { createLimiter, type Limiter } from '@sluice/core';
import { clientOf, redisStore, type RedisOptions, type RedisStore } from '@sluice/redis';
import { guidedClients, type GuidedClient } from '../support/guided-clients.js';
import { startRedis, type RedisServer } from '../support/redis.js';
import { until } from '../support/until.js';
import { wireTo, type Wire } from '../support/wire.js';

/** An endpoint whose name points at one server, and then at another. */
let target: { port: number };
let wire: Wire;
let old: RedisServer;
let next: RedisServer;
let admin: Redis;
let client: GuidedClient | undefined;
let store: RedisStore;

beforeEach(async () => {
  jest.spyOn(process, 'emitWarning').mockImplementation();
  [old, next] = await Promise.all([startRedis(), startRedis()]);
  target = { port: old.port };
  wire = await wireTo(target);
  admin = new Redis(old.port);
});

afterEach(async () => {
  jest.useRealTimers();
  await store.close();
  client?.disconnect();
  client = undefined;
  admin.disconnect();
  await wire.close();
  await Promise.all([old.stop(), next.stop()]);
  jest.restoreAllMocks();
});

type Open = (connection: RedisOptions) => GuidedClient;

async function limiterOn(open?: Open): Promise<Limiter<string>> {
  client = open?.({ url: wire.url });
  store = redisStore(client ?? { url: wire.url });
  await store.ready();
  return createLimiter<string>({
    store,
    name: 'moved',
    key: (user) => user,
    limit: 1_000_000,
    window: '1h',
    denyCache: false,
  });
}

const source = async (limiter: Limiter<string>) => (await limiter.consume('ada')).source;

/** The old master after a failover, or a user that has lost its rights. */
const refusals: Readonly<Record<string, () => Promise<unknown>>> = {
  READONLY: () => admin.replicaof('127.0.0.1', next.port),
  async MASTERDOWN() {
    await admin.config('SET', 'replica-serve-stale-data', 'no');
    await admin.replicaof('127.0.0.1', 1);
  },
  NOPERM: () => admin.acl('SETUSER', 'default', '-eval', '-evalsha'),
};

const rows: (readonly [string, string, Open | undefined])[] = [
  ...Object.keys(refusals).map((refusal) => [refusal, 'the own client', undefined] as const),
  ...['READONLY', 'MASTERDOWN'].flatMap((refusal) =>
    Object.entries(guidedClients).map(([name, open]) => [refusal, name, open] as const),
  ),
  ['NOPERM', 'node-redis', guidedClients['node-redis']],
  ['NOPERM', 'an ioredis that has resetConnection', resettable(Redis)],
  ['NOPERM', 'an iovalkey that has resetConnection', resettable(Valkey as never)],
];

/** A client without `reconnectOnError`, as in docs/guide/redis-clients.md. */
function resettable(Client: typeof Redis): Open {
  return ({ url }) => {
    const made = new Client(url!, { maxRetriesPerRequest: 0, enableOfflineQueue: false });
    made.on('error', () => undefined);
    return Object.assign(made, { resetConnection: () => made.disconnect(true) }) as GuidedClient;
  };
}

describe('redisStore whose endpoint is pointed at another server', () => {
  it.each(rows)('comes back from %s with %s', async (refusal, _name, open) => {
    const limiter = await limiterOn(open);
    await until(async () => (await source(limiter)) === 'redis');

    target.port = next.port;
    await refusals[refusal]!();
    await until(async () => (await source(limiter)) !== 'redis');

    await expect(until(async () => (await source(limiter)) === 'redis')).resolves.toBeUndefined();
  });

  it('asks for no other connection where its user has never had the rights, not even after a late refusal', async () => {
    await refusals['NOPERM']!();
    client = guidedClients['node-redis']!({ url: wire.url });
    const reset = jest.spyOn(client as Required<GuidedClient>, 'resetConnection');
    store = redisStore(client);
    const limiter = createLimiter<string>({ store, name: 'moved', key: (user) => user, limit: 10, window: '1h' });
    await until(() => client!.status === 'ready');
    // Time passes as this test says, so that no busy machine is taken for a silent connection.
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });

    wire.freeze();
    const late = limiter.consume('ada');
    await jest.advanceTimersByTimeAsync(100);
    wire.thaw();
    const sources = [(await late).source];
    for (let second = 0; second < 10; second += 1) {
      sources.push(await source(limiter));
      await jest.advanceTimersByTimeAsync(1_000);
    }
    jest.useRealTimers();

    expect([new Set(sources), reset.mock.calls.length]).toEqual([new Set(['local']), 0]);
  });
});

/** A client that waits for its handshake without a bound. */
function patientNodeRedis({ url }: RedisOptions): GuidedClient {
  const redis = createClient({ url: url!, disableOfflineQueue: true });
  redis.on('error', () => undefined);
  redis.connect().catch(() => undefined);
  const sender = clientOf({
    send: (command) => redis.sendCommand([...command]),
    isReady: () => redis.isReady,
    on: (event, listener) => {
      for (const each of event === 'ready' ? ['ready'] : ['reconnecting', 'end']) redis.on(each, listener);
    },
    async resetConnection() {
      redis.destroy();
      await redis.connect();
    },
  });
  return Object.assign(sender, { disconnect: () => redis.destroy() });
}

describe('redisStore behind a balancer that accepts connections for a dead host', () => {
  it.each<[string, Open | undefined]>([
    ['its own client', undefined],
    ['node-redis as in the guide', guidedClients['node-redis']],
    ['a node-redis that waits for its handshake without a bound', patientNodeRedis],
  ])('comes back with the host: %s', async (_name, open) => {
    const dead = createServer((socket) => socket.resume().on('error', () => undefined)).listen(0, '127.0.0.1');
    await once(dead, 'listening');
    const limiter = await limiterOn(open);
    await until(async () => (await source(limiter)) === 'redis');

    target.port = (dead.address() as AddressInfo).port;
    const before = wire.connections;
    wire.freeze();
    // A new connection reaches the dead host.
    await until(async () => {
      await source(limiter);
      return wire.connections > before;
    });
    target.port = old.port;

    await expect(until(async () => (await source(limiter)) === 'redis')).resolves.toBeUndefined();
    dead.close();
  });
});
