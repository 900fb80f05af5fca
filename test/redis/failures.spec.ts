import { once } from 'node:events';
import { connect } from 'node:net';
import { inspect } from 'node:util';
import { Redis } from 'ioredis';
import { redisStore, type MaybePromise, type Store } from '@sluice/core';
import { startRedis, type RedisServer } from '../support/redis.js';
import { claim } from '../../packages/core/src/testing/internal/claim.js';
import { patient } from '../../packages/core/src/testing/internal/patient.js';
import { closedPort, listen } from '../../packages/core/src/testing/internal/listener.js';
import { wireTo } from '../support/wire.js';

const unavailable = { name: 'StoreError', code: 'STORE_UNAVAILABLE' };
/** What the client or the server has said. */
const unavailableWithCause = { ...unavailable, cause: expect.anything() };
/** Milliseconds that a busy machine may take besides: far less than any time limit of ioredis. */
const SPARE = 500;

describe('a store whose Redis cannot answer', () => {
  let server: RedisServer;
  const stores: Store[] = [];
  const open = (...options: Parameters<typeof redisStore>) => {
    const store = redisStore(...options);
    stores.push(store);
    return store;
  };

  beforeAll(async () => {
    server = await startRedis();
  });

  afterEach(async () => {
    await Promise.all(stores.splice(0).map((store) => store.close()));
  });

  afterAll(() => server.stop());

  const callsOf = (store: Store): [string, () => unknown][] => {
    const one = claim();
    const receipt = { tier: one.tier, key: one.key, policy: one.policy, units: 1, at: 1, until: 2 };
    return [
      ['consume', () => store.consume([one])],
      ['peek', () => store.peek([one])],
      ['refund', () => store.refund([receipt])],
      ['reset', () => store.reset([one.key])],
      ['inspect', () => store.inspect(one.key)],
    ];
  };

  it('says so with the cause, for every call, and never hangs, where nobody listens', async () => {
    const port = await closedPort();
    const ways = [{ url: `redis://127.0.0.1:${port}` }, { cluster: [`redis://127.0.0.1:${port}`] }];

    for (const way of ways) {
      for (const [, call] of callsOf(open(way, patient))) {
        await expect(call()).rejects.toMatchObject(unavailableWithCause);
      }
    }
  });

  it('says so within the deadline, for every call, where no Sentinel listens', async () => {
    const store = open({ sentinels: [{ host: '127.0.0.1', port: await closedPort() }], name: 'primary' });

    for (const [, call] of callsOf(store)) {
      const started = performance.now();

      await expect(call()).rejects.toMatchObject(unavailable);
      expect(performance.now() - started).toBeLessThan(50 + SPARE);
    }
  });

  it('says so within the deadline where somebody listens and says nothing', async () => {
    const silent = await listen();
    const ways = [
      { url: silent.url },
      { cluster: [silent.url] },
      { sentinels: [{ host: '127.0.0.1', port: silent.port }], name: 'primary' },
    ];

    for (const way of ways) {
      const store = open(way);
      const first = store.consume([claim()]);
      await expect(first).rejects.toMatchObject({
        ...unavailable,
        message: 'Redis could not answer: no connection within 50 ms',
      });
      for (const [, call] of callsOf(store)) {
        const started = performance.now();

        await expect(call()).rejects.toMatchObject(unavailable);
        expect(performance.now() - started).toBeLessThan(50 + SPARE);
      }
    }
    await silent.close();
  });

  it('says so within the deadline of a client with any settings, and of its queue nothing is counted', async () => {
    const wire = await wireTo(server);
    const client = new Redis(wire.port, { retryStrategy: () => 10 });
    client.on('error', () => undefined);
    const store = open(client);
    const one = claim();
    await client.ping();

    wire.freeze();
    const started = performance.now();
    const failed = await Promise.allSettled([store.consume([one]), store.peek([one])]);
    const took = performance.now() - started;
    client.disconnect();
    const { outcomes } = await open({ url: server.url }, patient).peek([one]);

    expect(failed).toMatchObject([{ reason: unavailable }, { reason: unavailable }]);
    expect(took).toBeLessThan(50 + SPARE);
    expect(outcomes[0]!.remaining).toBe(10);
    await wire.close();
  });

  it('fails at once while a connection that was there is lost', async () => {
    const wire = await wireTo(server);
    const client = new Redis(wire.port, { retryStrategy: () => 60_000, maxRetriesPerRequest: 0 });
    client.on('error', () => undefined);
    const store = open(client, patient);
    await store.consume([claim()]);

    wire.cut();
    await new Promise<void>((resolve) => client.once('close', resolve));
    const started = performance.now();
    const answer = store.consume([claim()]);

    await expect(answer).rejects.toMatchObject({ ...unavailable, message: expect.stringContaining('reconnecting') });
    expect(performance.now() - started).toBeLessThan(SPARE);
    client.disconnect();
    await wire.close();
  });

  it('says so where a server goes silent while it is asked', async () => {
    const wire = await wireTo(server);
    const store = open({ url: wire.url });
    await until(() => store.consume([claim()]));

    wire.freeze();
    const started = performance.now();
    const answer = store.consume([claim()]);

    await expect(answer).rejects.toMatchObject({
      ...unavailable,
      message: 'Redis could not answer: no reply within 50 ms',
    });
    expect(performance.now() - started).toBeLessThan(50 + SPARE);
    await wire.close();
  });

  it('works again by a new connection where one has gone silent for good', async () => {
    const wire = await wireTo(server);
    const store = open({ url: wire.url });
    await until(() => store.consume([claim()]));

    wire.freeze();
    await expect(store.consume([claim()])).rejects.toMatchObject(unavailable);

    await expect(until(() => store.consume([claim()]))).resolves.toMatchObject({ source: 'redis' });
    await wire.close();
  });

  it('works again by a new connection where that to a node of a Cluster has gone silent for good', async () => {
    const node = await startRedis({ args: ['--cluster-enabled', 'yes'] });
    const wire = await wireTo(node);
    const client = new Redis(node.port);
    await client.config('SET', 'cluster-announce-ip', '127.0.0.1', 'cluster-announce-port', wire.port);
    await client.cluster('ADDSLOTSRANGE', 0, 16_383);
    const store = open({ cluster: [wire.url] });
    await until(() => store.consume([claim()]));

    wire.freeze();
    await expect(store.consume([claim()])).rejects.toMatchObject(unavailable);

    await expect(until(() => store.consume([claim()]))).resolves.toMatchObject({ source: 'redis' });
    await store.close();
    client.disconnect();
    await wire.close();
    await node.stop();
  });

  it('connects anew where a server says nothing to whoever has just connected', async () => {
    let connections = 0;
    const listener = await listen((socket) => {
      connections += 1;
      if (connections > 1) socket.pipe(connect(server.port, '127.0.0.1')).pipe(socket);
    });

    const store = open({ url: listener.url });
    await store.ready();

    expect(connections).toBeGreaterThan(1);
    await store.close();
    await listener.close();
  });

  it('does not count again what it may have counted, when the connection breaks before the reply', async () => {
    const wire = await wireTo(server);
    const store = open({ url: wire.url }, patient);
    const one = claim();
    await store.consume([one]);

    wire.swallowReplies();
    const answer = Promise.resolve(store.consume([one])).catch((reason: unknown) => reason);
    const watched = open({ url: server.url }, patient);
    await until(async () => (await watched.peek([one])).outcomes[0]!.remaining === 8);
    wire.cut();
    expect(await answer).toMatchObject(unavailableWithCause);
    await until(() => store.consume([{ ...one, cost: 0 }]));

    expect((await watched.peek([one])).outcomes[0]!.remaining).toBe(8);
    await wire.close();
  });

  it('works within three seconds of the first answer of a server that comes up later', async () => {
    const port = await closedPort();
    const store = open({ url: `redis://127.0.0.1:${port}` });
    const one = claim();
    await expect(store.consume([one])).rejects.toMatchObject(unavailable);

    const late = await startRedis({ args: ['--port', String(port)] });
    const up = performance.now();
    const { outcomes } = await until(() => store.consume([one]));

    expect(performance.now() - up).toBeLessThan(3_000);
    // What was refused while it was down is not counted now.
    expect(outcomes[0]!.remaining).toBe(9);
    await late.stop();
  });

  it('is ready once a server has come up, whenever that is', async () => {
    const port = await closedPort();
    const store = open({ url: `redis://127.0.0.1:${port}` });
    const one = claim();

    const ready = store.ready();
    const late = await startRedis({ args: ['--port', String(port)] });
    await ready;

    await expect(store.consume([one])).resolves.toMatchObject({ source: 'redis' });
    await late.stop();
  });

  it('says so once a server is gone, and works again when it is back', async () => {
    const other = await startRedis();
    const store = open({ url: other.url }, patient);
    await store.consume([claim()]);

    other.process.kill('SIGKILL');
    await once(other.process, 'exit');
    const failed: unknown = await Promise.resolve(store.consume([claim()])).catch((reason: unknown) => reason);
    await other.restart();
    const answer = await until(() => store.consume([claim()]));
    await other.stop();

    expect(failed).toMatchObject(unavailable);
    expect(answer.outcomes[0]).toMatchObject({ allowed: true, remaining: 9 });
  });

  it('fails the checks of one call together and the next on its own', async () => {
    const wire = await wireTo(server);
    const store = open({ url: wire.url });
    const one = claim();
    await until(() => store.consume([{ ...one, cost: 0 }]));

    wire.freeze();
    const failed = await Promise.allSettled(Array.from({ length: 3 }, () => store.consume([claim()])));
    wire.thaw();
    const { outcomes } = await until(() => store.consume([one]));

    expect(failed).toMatchObject(Array.from({ length: 3 }, () => ({ reason: unavailable })));
    expect(outcomes[0]!.remaining).toBe(9);
    await wire.close();
  });

  it('tells the code of what the connection says, and not the password that was refused', async () => {
    const refused: unknown = await reasonOf(open({ url: `redis://127.0.0.1:${await closedPort()}` }, patient));
    const other = await startRedis({ args: ['--requirepass', 'right'] });
    const wrong: unknown = await reasonOf(open({ url: other.url.replace('//', '//:hunter2@') }, patient));
    await other.stop();

    expect(refused).toMatchObject({ ...unavailable, cause: { code: 'ECONNREFUSED' } });
    expect(wrong).toMatchObject({ ...unavailableWithCause, message: expect.stringContaining('WRONGPASS') });
    expect(inspect(wrong, { depth: Infinity, showHidden: true })).not.toContain('hunter2');
  });

  it('keeps keys and texts out of its message', async () => {
    const other = await startRedis({ args: ['--rename-command', 'EVALSHA', 'hidden'] });
    const one = claim({ record: 'ada@example.org' });

    const error: unknown = await Promise.resolve(open({ url: other.url }, patient).consume([one])).catch(
      (reason: unknown) => reason,
    );
    await other.stop();

    expect(error).toMatchObject(unavailableWithCause);
    expect((error as Error).message).toMatch(/unknown command/);
    expect((error as Error).message).not.toMatch(/rl:|ada/);
  });

  it('tells a full Redis as unavailable, having changed nothing', async () => {
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

describe('a store that is closed', () => {
  let server: RedisServer;

  beforeAll(async () => {
    server = await startRedis();
  });

  afterAll(() => server.stop());

  it('answers what is under way, whatever turn it leaves in', async () => {
    const watching = redisStore({ url: server.url }, patient);
    const store = redisStore({ url: server.url }, patient);
    const one = claim({ policy: { limit: 500, window: '1h' } });

    const asked = Promise.all(Array.from({ length: 200 }, () => store.consume([one])));
    await store.close();

    expect((await asked).at(-1)!.outcomes[0]!.remaining).toBe(300);
    expect((await watching.peek([one])).outcomes[0]!.remaining).toBe(300);
    await watching.close();
  });

  it('has ended its connection', async () => {
    const client = new Redis(server.port);
    const connections = async () =>
      ((await client.client('LIST')) as string).split('\n').filter((line) => line.includes('name=ratelimit')).length;
    const store = redisStore({ url: server.url }, patient);
    await store.consume([claim()]);
    const before = await connections();

    await store.close();

    expect(before).toBe(1);
    await until(async () => (await connections()) === 0);
    client.disconnect();
  });
});

async function reasonOf(store: Store): Promise<unknown> {
  try {
    return await store.consume([claim()]);
  } catch (reason) {
    return reason;
  }
}

/** Asks until there is an answer other than false, and for as long as the test may take. */
async function until<T>(ask: () => MaybePromise<T>): Promise<Exclude<T, false>> {
  for (;;) {
    const [answer] = await Promise.allSettled([Promise.resolve().then(ask)]);
    if (answer.status === 'fulfilled' && answer.value !== false) return answer.value as Exclude<T, false>;
    await new Promise(setImmediate);
  }
}
