import { once } from 'node:events';
import { connect } from 'node:net';
import { inspect } from 'node:util';
import { Redis } from 'ioredis';
import type { Store } from '@sluice/core';
import { redisStore, type RedisStore } from '@sluice/redis';
import { startRedis } from '../support/redis.js';
import { withRedis } from '../support/redis-store.js';
import { claim } from '../support/claim.js';
import { patient } from '../support/patient.js';
import { closedPort, listen } from '../support/listener.js';
import { until, untilAnswered } from '../support/until.js';
import { within } from '../support/within.js';
import { wireTo } from '../support/wire.js';

const unavailable = { name: 'StoreError', code: 'STORE_UNAVAILABLE' };
/** With the error of the client or the server. */
const unavailableWithCause = { ...unavailable, cause: expect.anything() };
/** More than the deadline of a call, and far below any timeout of ioredis. */
const SOON = 550;

describe('redisStore without an answer of Redis', () => {
  const redis = withRedis();
  const stores: Store[] = [];
  const open = (...options: Parameters<typeof redisStore>) => {
    const store = redisStore(...options);
    stores.push(store);
    return store;
  };

  afterEach(async () => {
    await Promise.all(stores.splice(0).map((store) => store.close()));
  });

  const callsOf = (store: RedisStore): [string, () => unknown][] => {
    const one = claim();
    const receipt = { tier: one.tier, key: one.key, policy: one.policy, units: 1, at: 1, until: 2 };
    return [
      ['consume', () => store.consume([one])],
      ['peek', () => store.peek([one])],
      ['refund', () => store.refund([receipt])],
      ['reset', () => store.reset([one.key])],
      ['recorded', () => store.recorded(one.key)],
    ];
  };

  it('rejects every call with the cause on a closed port', async () => {
    const port = await closedPort();
    const ways = [{ url: `redis://127.0.0.1:${port}` }, { cluster: [`redis://127.0.0.1:${port}`] }];

    for (const way of ways) {
      for (const [, call] of callsOf(open(way, patient))) {
        await expect(call()).rejects.toMatchObject(unavailableWithCause);
      }
    }
  });

  it('rejects every call within the deadline without a Sentinel', async () => {
    const sentinels = [{ host: '127.0.0.1', port: await closedPort() }];
    const store = open({ sentinels, name: 'primary' }, { connectDeadline: 50 });

    for (const [, call] of callsOf(store)) {
      await expect(within(SOON, call)).rejects.toMatchObject(unavailable);
    }
  });

  it('rejects every call within the deadline when the server accepts and never replies', async () => {
    const silent = await listen();
    const ways = [
      { url: silent.url },
      { cluster: [silent.url] },
      { sentinels: [{ host: '127.0.0.1', port: silent.port }], name: 'primary' },
    ];

    for (const way of ways) {
      const store = open(way, { connectDeadline: 50 });
      for (const [, call] of callsOf(store)) {
        await expect(within(SOON, call)).rejects.toMatchObject(unavailable);
      }
    }
    await silent.close();
  });

  it('rejects within the deadline with any client settings, and counts nothing later', async () => {
    const wire = await wireTo(redis.server);
    const client = new Redis(wire.port, { retryStrategy: () => 10 });
    client.on('error', () => undefined);
    const store = open(client);
    const one = claim();
    await client.ping();

    wire.freeze();
    const failed = await Promise.allSettled([
      within(SOON, () => store.consume([one])),
      within(SOON, () => store.peek([one])),
    ]);
    client.disconnect();
    const { outcomes } = await open({ url: redis.server.url }, patient).peek([one]);

    expect(failed).toMatchObject([{ reason: unavailable }, { reason: unavailable }]);
    expect(outcomes[0]!.remaining).toBe(10);
    await wire.close();
  });

  it('rejects at once while the client reconnects', async () => {
    const wire = await wireTo(redis.server);
    const client = new Redis(wire.port, { retryStrategy: () => 60_000, maxRetriesPerRequest: 0 });
    client.on('error', () => undefined);
    const store = open(client, patient);
    await store.consume([claim()]);

    wire.cut();
    await new Promise<void>((resolve) => client.once('close', resolve));
    const answer = within(SOON, () => store.consume([claim()]));

    await expect(answer).rejects.toMatchObject({ ...unavailable, message: expect.stringContaining('reconnecting') });
    client.disconnect();
    await wire.close();
  });

  it('rejects a call in flight when the server goes silent, and opens a new connection', async () => {
    const wire = await wireTo(redis.server);
    const store = open({ url: wire.url });
    await untilAnswered(() => store.consume([claim()]));

    wire.freeze();
    const answer = within(SOON, () => store.consume([claim()]));

    await expect(answer).rejects.toMatchObject({
      ...unavailable,
      message: 'Redis could not answer: no reply within 50 ms',
    });
    await expect(untilAnswered(() => store.consume([claim()]))).resolves.toMatchObject({ source: 'redis' });
    await wire.close();
  });

  it('opens a new connection when that to a node of a Cluster stays silent', async () => {
    const node = await startRedis({ args: ['--cluster-enabled', 'yes'] });
    const wire = await wireTo(node);
    const client = new Redis(node.port);
    await client.config('SET', 'cluster-announce-ip', '127.0.0.1', 'cluster-announce-port', wire.port);
    await client.cluster('ADDSLOTSRANGE', 0, 16_383);
    const store = open({ cluster: [wire.url] });
    await untilAnswered(() => store.consume([claim()]));

    wire.freeze();
    await expect(store.consume([claim()])).rejects.toMatchObject(unavailable);

    await expect(untilAnswered(() => store.consume([claim()]))).resolves.toMatchObject({ source: 'redis' });
    await store.close();
    client.disconnect();
    await wire.close();
    await node.stop();
  });

  it('connects again when a server never replies to a new connection', async () => {
    let connections = 0;
    const listener = await listen((socket) => {
      connections += 1;
      if (connections > 1) socket.pipe(connect(redis.server.port, '127.0.0.1')).pipe(socket);
    });

    const store = open({ url: listener.url });
    await store.ready();

    expect(connections).toBeGreaterThan(1);
    await store.close();
    await listener.close();
  });

  it('does not repeat a call whose reply was lost', async () => {
    const wire = await wireTo(redis.server);
    const store = open({ url: wire.url }, patient);
    const one = claim();
    await store.consume([one]);

    wire.swallowReplies();
    const answer = Promise.resolve(store.consume([one])).catch((reason: unknown) => reason);
    const watched = open({ url: redis.server.url }, patient);
    await untilAnswered(async () => (await watched.peek([one])).outcomes[0]!.remaining === 8);
    wire.cut();
    expect(await answer).toMatchObject(unavailableWithCause);
    await untilAnswered(() => store.consume([{ ...one, cost: 0 }]));

    expect((await watched.peek([one])).outcomes[0]!.remaining).toBe(8);
    await wire.close();
  });

  it('works after the start of the server, and counts no check from before', async () => {
    const port = await closedPort();
    const store = open({ url: `redis://127.0.0.1:${port}` });
    const one = claim();
    await expect(store.consume([one])).rejects.toMatchObject(unavailable);

    const late = await startRedis({ args: ['--port', String(port)] });
    // Free, because a check that is late on a busy machine counts.
    const { outcomes } = await untilAnswered(() => store.consume([{ ...one, cost: 0 }]));

    expect(outcomes[0]!.remaining).toBe(10);
    await late.stop();
  });

  it('resolves ready when the server starts', async () => {
    const port = await closedPort();
    const store = open({ url: `redis://127.0.0.1:${port}` }, patient);
    const one = claim();

    const ready = store.ready();
    const late = await startRedis({ args: ['--port', String(port)] });
    await ready;

    await expect(store.consume([one])).resolves.toMatchObject({ source: 'redis' });
    await late.stop();
  });

  it('rejects while the server is down, and works after its restart', async () => {
    const other = await startRedis();
    const store = open({ url: other.url }, patient);
    await store.consume([claim()]);

    other.process.kill('SIGKILL');
    await once(other.process, 'exit');
    const failed: unknown = await Promise.resolve(store.consume([claim()])).catch((reason: unknown) => reason);
    await other.restart();
    const answer = await untilAnswered(() => store.consume([claim()]));
    await other.stop();

    expect(failed).toMatchObject(unavailable);
    expect(answer.outcomes[0]).toMatchObject({ allowed: true, remaining: 9 });
  });

  it('rejects the checks of one batch together, and not later ones', async () => {
    const wire = await wireTo(redis.server);
    const store = open({ url: wire.url });
    await untilAnswered(() => store.consume([claim()]));

    wire.freeze();
    const failed = await Promise.allSettled(Array.from({ length: 3 }, () => store.consume([claim()])));
    wire.thaw();
    // A key each: Redis may count a check whose answer came too late.
    const { outcomes } = await untilAnswered(() => store.consume([claim()]));

    expect(failed).toMatchObject(Array.from({ length: 3 }, () => ({ reason: unavailable })));
    expect(outcomes[0]!.remaining).toBe(9);
    await wire.close();
  });

  it('reports the code of the connection error, and not the refused password', async () => {
    const refused: unknown = await reasonOf(open({ url: `redis://127.0.0.1:${await closedPort()}` }, patient));
    const other = await startRedis({ args: ['--requirepass', 'right'] });
    const wrong: unknown = await reasonOf(open({ url: other.url.replace('//', '//:hunter2@') }, patient));
    await other.stop();

    expect(refused).toMatchObject({ ...unavailable, cause: { code: 'ECONNREFUSED' } });
    expect(wrong).toMatchObject({ ...unavailableWithCause, message: expect.stringContaining('WRONGPASS') });
    expect(inspect(wrong, { depth: Infinity, showHidden: true })).not.toContain('hunter2');
  });

  it('keeps keys and texts out of the message', async () => {
    const other = await startRedis({ args: ['--rename-command', 'EVALSHA', 'hidden'] });
    const one = claim({ record: 'ada@example.org' });

    const store = open({ url: other.url }, patient);
    // The first call of a connection has the text, by another command.
    await store.consume([one]);
    const error: unknown = await Promise.resolve(store.consume([one])).catch((reason: unknown) => reason);
    await other.stop();

    expect(error).toMatchObject(unavailableWithCause);
    expect((error as Error).message).toMatch(/unknown command/);
    expect((error as Error).message).not.toMatch(/rl:|ada/);
  });

  it('reports a full Redis as unavailable, and changes nothing', async () => {
    const other = await startRedis({ args: ['--maxmemory', '1', '--maxmemory-policy', 'noeviction'] });
    const store = open({ url: other.url }, patient);
    const one = claim();

    await expect(store.consume([one])).rejects.toMatchObject({
      ...unavailableWithCause,
      message: expect.stringMatching(/OOM/),
    });
    expect((await store.peek([one])).outcomes[0]!.remaining).toBe(10);

    await other.stop();
  });
});

describe('redisStore.close', () => {
  const redis = withRedis();

  it('settles checks in flight and pending ones', async () => {
    const watching = redisStore({ url: redis.server.url }, patient);
    const store = redisStore({ url: redis.server.url }, patient);
    const one = claim({ policy: { limit: 500, window: '1h' } });

    const pending = Promise.all(Array.from({ length: 200 }, () => store.consume([one])));
    await store.close();

    expect((await pending).at(-1)!.outcomes[0]!.remaining).toBe(300);
    expect((await watching.peek([one])).outcomes[0]!.remaining).toBe(300);
    await watching.close();
  });

  it('ends the connection', async () => {
    const connections = async () =>
      ((await redis.client.client('LIST')) as string).split('\n').filter((line) => line.includes('name=ratelimit'))
        .length;
    const store = redisStore({ url: redis.server.url }, patient);
    await store.consume([claim()]);
    const before = await connections();

    await store.close();

    expect(before).toBe(1);
    await untilAnswered(async () => (await connections()) === 0);
  });
});

async function reasonOf(store: Store): Promise<unknown> {
  try {
    return await store.consume([claim()]);
  } catch (reason) {
    return reason;
  }
}

describe('redisStore, reason of an outage', () => {
  it('is not that the connection was refused when the server loads its data', async () => {
    // A millisecond a key, with replies to clients in between.
    const args = ['--key-load-delay', '1000', '--loading-process-events-interval-bytes', '1024'];
    const server = await startRedis({ args });
    const admin = new Redis(server.port);
    admin.on('error', () => undefined);
    await admin.mset(Array.from({ length: 1_500 }, (_, index) => [`other:${index}`, 'some value']).flat());
    await admin.save();
    admin.disconnect();
    const store = redisStore({ url: server.url });
    await store.ready();
    const reasons = new Set<string>();

    const loaded = server.restart();
    const answer = await untilAnswered(async () => {
      try {
        return await store.consume([claim()]);
      } catch (error) {
        reasons.add((error as Error).message);
        throw error;
      }
    });
    await loaded;
    await store.close();
    await server.stop();

    expect(answer.source).toBe('redis');
    expect(reasons).toContain('Redis cannot be reached: the client is not ready, its status is connect');
  });

  it('is the text of a server that has too many clients', async () => {
    const server = await startRedis();
    const admin = new Redis(server.port);
    await admin.config('SET', 'maxclients', '1');
    const store = redisStore({ url: server.url }, { connectDeadline: 1 });
    const nextReason = async () => Promise.resolve(store.consume([claim()])).catch(({ message }: Error) => message);

    await until(async () => (await nextReason()) === 'Redis cannot be reached: ERR max number of clients reached');
    await admin.config('SET', 'maxclients', '100');
    const { source } = await untilAnswered(() => store.consume([claim()]));
    await store.close();
    admin.disconnect();
    await server.stop();

    expect(source).toBe('redis');
  });
});
