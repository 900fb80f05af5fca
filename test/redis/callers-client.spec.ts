import { Redis } from 'ioredis';
import type { Duration, Outcome, PolicyOptions, Store } from '@sluice/core';
import type { Claim } from '@sluice/core/own-store';
import { clientOf, redisStore, type NodeRedisClient, type RedisClient } from '@sluice/redis';
import { Redis as Valkey } from 'iovalkey';
import { createClient, createCluster, createSentinel } from 'redis';
import { startRedis } from '../support/redis.js';
import { withRedis } from '../support/redis-store.js';
import { claim, everyPolicy } from '../support/claim.js';
import { commandsDuring, namesIn } from '../support/monitor.js';
import { patient } from '../support/patient.js';

const FORGOTTEN = 'the client is not connected: await client.connect() before the first request';

describe('redisStore on a client of the caller', () => {
  const redis = withRedis();
  let client: Redis;

  beforeEach(() => {
    client = new Redis(redis.server.port);
  });

  afterEach(() => client.disconnect());

  const everything = (object: object) => ({
    own: Reflect.ownKeys(object),
    inherited: Reflect.ownKeys(Object.getPrototypeOf(object) as object),
    listeners: client.eventNames().map((name) => [name, client.listenerCount(name)]),
    options: structuredClone(JSON.stringify(client.options)),
  });

  it('adds nothing to the client except listeners for its status', async () => {
    await client.ping();
    const before = everything(client);
    const store = redisStore(client, patient);
    const one = claim({ record: 'a note' });

    const { receipts } = await store.consume([one]);
    await Promise.all([store.peek([one]), store.refund(receipts), store.recorded(one.key), store.reset([one.key])]);
    await store.close();

    const listening = ['ready', 'close', 'end'].map((event) => [event, 1]);
    expect(everything(client)).toEqual({ ...before, listeners: [...before.listeners, ...listening] });
  });

  it('adds the same listeners for any number of stores', async () => {
    for (let made = 0; made < 20; made += 1) await redisStore(client, patient).consume([claim()]);

    expect(client.listenerCount('ready')).toBe(1);
  });

  it.each([
    ['ioredis', Redis],
    ['iovalkey', Valkey as unknown as typeof Redis],
  ])('connects a lazy client, and waits for it: %s', async (_name, Client) => {
    const lazy = new Client(redis.server.port, { lazyConnect: true, enableOfflineQueue: false });
    const store = redisStore(lazy, patient);
    const before = lazy.status;

    const answers = await Promise.all([1, 2, 3].map(() => store.consume([claim()])));
    lazy.disconnect();

    expect(before).toBe('wait');
    expect(answers.map(({ outcomes }) => outcomes[0]!.remaining)).toEqual([9, 9, 9]);
  });

  it('rejects at once after the client has ended', async () => {
    client.disconnect();

    const answer = redisStore(client, patient).consume([claim()]);

    await expect(answer).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: 'Redis cannot be reached: the client is not ready, its status is end',
    });
  });

  it.each<[string, (url: string) => NodeRedisClient]>([
    ['one server', (url) => createClient({ url, disableOfflineQueue: true })],
    ['a Cluster', (url) => createCluster({ rootNodes: [{ url }] })],
  ])('names the call that a client of node-redis lacks: %s', async (_what, create) => {
    const unconnected = create(redis.server.url);
    const store = redisStore(unconnected, { ...patient, connectDeadline: '20ms' });

    await expect(store.consume([claim()])).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: `Redis cannot be reached: ${FORGOTTEN}`,
    });
  });

  it('uses a client of node-redis that is connected after the first request', async () => {
    const late = createClient({ url: redis.server.url, disableOfflineQueue: true });
    const store = redisStore(late as NodeRedisClient, patient);

    const answer = store.consume([claim()]);
    await late.connect();

    expect((await answer).outcomes[0]!.remaining).toBe(9);
    late.destroy();
  });

  it('names the repair where isReady of clientOf has never been true', async () => {
    const sender = clientOf({ send: async () => 'OK', isReady: () => false });
    const message = 'Redis cannot be reached: isReady of clientOf has not been true yet: connect the client before';

    const answer = redisStore(sender, patient).consume([claim()]);

    await expect(answer).rejects.toMatchObject({ message: expect.stringContaining(message) });
  });

  it('does not close the client with the store', async () => {
    const store = redisStore(client, patient);
    await store.consume([claim()]);

    await store.close();

    expect(await client.ping()).toBe('PONG');
  });

  it('settles earlier checks before close resolves, so that the client can quit', async () => {
    const store = redisStore(client, patient);
    const one = claim({ policy: { limit: 500, window: '1h' } });

    const pending = Promise.all(Array.from({ length: 100 }, () => store.consume([one])));
    await store.close();
    await client.quit();

    expect((await pending).at(-1)!.outcomes[0]!.remaining).toBe(400);
  });

  it('settles every other call before close resolves, also without scripts on the server', async () => {
    const other = await startRedis();
    const ended = new Redis(other.port);
    const store = redisStore(ended, patient);
    const one = claim({ record: 'a note' });
    const { receipts } = await store.consume([one]);
    await ended.script('FLUSH');

    const pending = Promise.all([store.refund(receipts), store.recorded(one.key), store.reset([one.key])]);
    await store.close();
    await ended.quit();
    await other.stop();

    expect(await pending).toEqual([1, ['a note'], undefined]);
  });

  it('sends no command before the first call', async () => {
    await client.ping();

    const commands = await commandsDuring(redis.server, async () => {
      await redisStore(client, patient).close();
      await client.ping();
    });

    expect(namesIn(commands)).toEqual(['ping']);
  });

  it('keeps keys under the prefix of the client', async () => {
    const prefixed = new Redis(redis.server.port, { keyPrefix: 'app:' });
    const store = redisStore(prefixed, patient);
    const one = claim({ record: 'a note' });

    const { receipts } = await store.consume([one]);
    const keys = await client.keys(`*${one.key}*`);
    const [given, notes, { outcomes }] = await Promise.all([
      store.refund(receipts),
      store.recorded(one.key),
      store.peek([one]),
    ]);
    await store.reset([one.key]);
    prefixed.disconnect();

    expect(keys.toSorted()).toEqual([`app:${one.key}`, `app:${one.key}:notes`]);
    expect([given, notes, outcomes[0]!.remaining]).toEqual([1, ['a note'], 10]);
    expect(await client.keys(`*${one.key}*`)).toEqual([]);
  });

  it('gives each of two stores its own answers', async () => {
    const [one, other] = [redisStore(client, patient), redisStore(client, patient)];
    const shared = claim();

    const answers = await Promise.all([one, other, one, other].map((store) => store.consume([shared])));

    expect(answers.map(({ outcomes }) => outcomes[0]!.remaining)).toEqual([9, 8, 7, 6]);
  });

  it('accepts any object with the two methods that it calls', async () => {
    const two: RedisClient = {
      evalsha: (sha, keys, ...rest) => client.evalsha(sha, keys, ...rest),
      eval: (source, keys, ...rest) => client.eval(source, keys, ...rest),
    };
    const store = redisStore(two, patient);

    const { outcomes } = await store.consume([claim()]);

    expect(outcomes[0]).toMatchObject({ allowed: true, remaining: 9 });
  });

  it('rejects a client of node-redis for Sentinels, which would count requests twice after a failover', () => {
    const sentinel = createSentinel({ name: 'limits', sentinelRootNodes: [{ host: '127.0.0.1', port: 1 }] });

    expect(() => redisStore(sentinel)).toThrow(
      expect.objectContaining({
        code: 'OPTION_INVALID',
        option: 'client',
        message: expect.stringContaining('sentinels, name'),
      }),
    );
  });

  const fixed = (limit: number, window: Duration): PolicyOptions => ({ algorithm: 'fixed-window', limit, window });
  const bucket: PolicyOptions = { algorithm: 'token-bucket', limit: 60, window: '1h', burst: 7 };

  it.each<[what: string, cost: number, policies: readonly PolicyOptions[]]>([
    ...everyPolicy(4).map(([name, policy]) => [name, 1, [policy]] as [string, number, PolicyOptions[]]),
    ['three fixed windows together', 1, [fixed(9, '7h'), fixed(4, '8h'), fixed(6, '9h')]],
    ['a fixed window and a bucket at a cost of 2', 2, [fixed(9, '7h'), bucket]],
  ])('gets the same answers through these two methods: %s', async (_what, cost, policies) => {
    const plain: RedisClient = {
      evalsha: (sha, keys, ...rest) => client.evalsha(sha, keys, ...rest),
      eval: (source, keys, ...rest) => client.eval(source, keys, ...rest),
    };

    const [ours, theirs] = await Promise.all(
      [client, plain].map((each) => answersOf(redisStore(each, patient), groupOf(policies, cost))),
    );

    expect(theirs).toEqual(ours!.map((answer) => answer.map(near)));
    expect(new Set(ours!.flat().map(({ allowed }) => allowed))).toEqual(new Set([true, false]));
  });
});

const groupOf = (policies: readonly PolicyOptions[], cost: number) =>
  policies.map((policy, index) => claim({ policy, cost, tier: `tier-${index}` }));

/** The answers of a store to a group: together, one by one until denied, and after a refund. */
async function answersOf(store: Store, group: readonly Claim[]): Promise<(readonly Outcome[])[]> {
  const answers = await Promise.all([1, 2, 3].map(() => store.consume(group)));
  for (let check = 0; check < 3; check += 1) answers.push(await store.consume(group));
  await store.refund(answers[0]!.receipts);
  answers.push(await store.peek(group), await store.consume(group));
  return answers.map(({ outcomes }) => outcomes);
}

/** The same some moments later. */
function near(outcome: Outcome): Outcome {
  const times = ['retryAfter', 'replenishAfter', 'resetAfter', 'delay'] as const;
  return { ...outcome, ...Object.fromEntries(times.map((time) => [time, expect.closeTo(outcome[time], -4)])) };
}
