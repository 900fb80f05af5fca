import { once } from 'node:events';
import { inspect } from 'node:util';
import { Redis } from 'ioredis';
import { redisStore, type MaybePromise, type Store } from '@sluice/core';
import { startRedis, type RedisServer } from '../support/redis.js';
import { claim } from './claims.js';
import { closedPort, listen, wireTo } from './wire.js';

const unavailable = { name: 'StoreError', code: 'STORE_UNAVAILABLE', cause: expect.anything() };

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
    const ways = [
      { url: `redis://127.0.0.1:${port}` },
      { cluster: [`redis://127.0.0.1:${port}`] },
      { sentinels: [{ host: '127.0.0.1', port }], name: 'primary' },
    ];

    for (const way of ways) {
      for (const [, call] of callsOf(open(way))) await expect(call()).rejects.toMatchObject(unavailable);
    }
  });

  it('says so within two seconds where somebody listens and says nothing', async () => {
    const silent = await listen();
    const started = performance.now();

    const answers = await Promise.allSettled(
      [{ url: silent.url }, { cluster: [silent.url] }].map((way) => open(way).consume([claim()])),
    );

    expect(performance.now() - started).toBeLessThan(2_500);
    for (const answer of answers) expect(answer).toMatchObject({ status: 'rejected', reason: unavailable });
    await silent.close();
  });

  it('says so where a server goes silent while it is asked', async () => {
    const wire = await wireTo(server);
    const store = open({ url: wire.url });
    await store.consume([claim()]);

    wire.freeze();
    const started = performance.now();
    const answer = store.consume([claim()]);

    await expect(answer).rejects.toMatchObject(unavailable);
    expect(performance.now() - started).toBeLessThan(2_500);
    await wire.close();
  });

  it('does not count again what it may have counted, when the connection breaks before the reply', async () => {
    const wire = await wireTo(server);
    const store = open({ url: wire.url });
    const one = claim();
    await store.consume([one]);

    wire.swallowReplies();
    const answer = store.consume([one]);
    const watched = open({ url: server.url });
    await until(async () => (await watched.peek([one])).outcomes[0]!.remaining === 8);
    wire.cut();
    await expect(answer).rejects.toMatchObject(unavailable);
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

  it('says so once a server is gone, and works again when it is back', async () => {
    const other = await startRedis();
    const store = open({ url: other.url });
    await store.consume([claim()]);

    other.process.kill('SIGKILL');
    await once(other.process, 'exit');
    const failed: unknown = await Promise.resolve(store.consume([claim()])).catch((reason: unknown) => reason);
    await other.restart();
    const answer = await until(() => store.consume([claim()]));

    expect(failed).toMatchObject(unavailable);
    expect(answer.outcomes[0]).toMatchObject({ allowed: true, remaining: 9 });
    await other.stop();
  });

  it('fails the checks of one call together and the next on its own', async () => {
    const client = new Redis(server.port, { enableOfflineQueue: false, lazyConnect: true });
    const store = open(client);

    const failed = await Promise.allSettled(Array.from({ length: 3 }, () => store.consume([claim()])));
    await once(client, 'ready');
    const { outcomes } = await store.consume([claim()]);

    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(outcomes[0]!.allowed).toBe(true);
    client.disconnect();
  });

  it('tells the code of what the connection says, and not the password that was refused', async () => {
    const refused: unknown = await reasonOf(open({ url: `redis://127.0.0.1:${await closedPort()}` }));
    const other = await startRedis({ args: ['--requirepass', 'right'] });
    const wrong: unknown = await reasonOf(open({ url: other.url.replace('//', '//:hunter2@') }));
    await other.stop();

    expect(refused).toMatchObject({ ...unavailable, cause: { code: 'ECONNREFUSED' } });
    expect(wrong).toMatchObject({ ...unavailable, message: expect.stringContaining('WRONGPASS') });
    expect(inspect(wrong, { depth: Infinity, showHidden: true })).not.toContain('hunter2');
  });

  it('keeps keys and texts out of its message', async () => {
    const other = await startRedis({ args: ['--rename-command', 'EVALSHA', 'hidden'] });
    const one = claim({ record: 'ada@example.org' });

    const error: unknown = await Promise.resolve(open({ url: other.url }).consume([one])).catch(
      (reason: unknown) => reason,
    );
    await other.stop();

    expect(error).toMatchObject(unavailable);
    expect((error as Error).message).toMatch(/unknown command/);
    expect((error as Error).message).not.toMatch(/rl:|ada/);
  });

  it('tells a full Redis as unavailable, having changed nothing', async () => {
    const other = await startRedis({ args: ['--maxmemory', '1', '--maxmemory-policy', 'noeviction'] });
    const store = open({ url: other.url });
    const one = claim();

    await expect(store.consume([one])).rejects.toMatchObject({ ...unavailable, message: expect.stringMatching(/OOM/) });
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
    const watching = redisStore({ url: server.url });
    const store = redisStore({ url: server.url });
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
    const store = redisStore({ url: server.url });
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
