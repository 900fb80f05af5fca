import { Redis } from 'ioredis';
import { createLimiter, subscribe } from '@sluice/core';
import { redisStore, type RedisStore, type RedisStoreOptions } from '@sluice/redis';
import { claim } from '../support/claim.js';
import { closedPort } from '../support/listener.js';
import { startRedis, type RedisServer } from '../support/redis.js';
import { until } from '../support/until.js';
import { within } from '../support/within.js';

let server: RedisServer;
let admin: Redis;
const stores: RedisStore[] = [];

beforeEach(async () => {
  server = await startRedis();
  admin = new Redis(server.port);
});

afterEach(async () => {
  await Promise.all(stores.splice(0).map((store) => store.close()));
  admin.disconnect();
  await server.stop();
});

function open(from: Parameters<typeof redisStore>[0] = { url: server.url }, options?: RedisStoreOptions): RedisStore {
  const store = redisStore(from, options);
  stores.push(store);
  return store;
}

/** The state of `ready()`, as it changes. */
function watch(store: RedisStore): { state: string } {
  const watched = { state: 'pending' };
  store.ready().then(
    () => (watched.state = 'ready'),
    (error: Error) => (watched.state = error.message),
  );
  return watched;
}

/** Calls of scripts that the server has received. */
async function scriptCalls(): Promise<number> {
  const info = await admin.info('commandstats');
  const calls = [...info.matchAll(/cmdstat_eval(?:sha)?:calls=(\d+)/g)];
  return calls.reduce((sum, [, count]) => sum + Number(count), 0);
}

describe('RedisStore.ready', () => {
  it('resolves when the script has decided, and leaves no key', async () => {
    await open().ready();
    const calls = await scriptCalls();
    await until(async () => (await admin.dbsize()) === 0);

    expect(calls).toBeGreaterThan(0);
  });

  it.each<[string, () => Promise<unknown>, () => Promise<unknown>]>([
    [
      'is full',
      () => admin.config('SET', 'maxmemory', '1', 'maxmemory-policy', 'noeviction'),
      () => admin.config('SET', 'maxmemory', '0'),
    ],
    ['is a replica', () => admin.replicaof('127.0.0.1', '1'), () => admin.replicaof('NO', 'ONE')],
    [
      'has no replicas',
      () => admin.config('SET', 'min-replicas-to-write', '1'),
      () => admin.config('SET', 'min-replicas-to-write', '0'),
    ],
  ])('waits while the server %s', async (_what, break_, repair) => {
    await break_();
    const watched = watch(open());

    const before = await scriptCalls();
    await until(async () => (await scriptCalls()) > before + 3);
    const { state } = watched;
    await repair();
    await until(() => watched.state !== 'pending');

    expect([state, watched.state]).toEqual(['pending', 'ready']);
  });

  it('rejects at once if the user has no right to write', async () => {
    await admin.acl('SETUSER', 'limiter', 'on', '>pass', '~*', '+@all', '-incr', '-incrby', '-set');
    const store = open({ url: `redis://limiter:pass@127.0.0.1:${server.port}` });

    await expect(store.ready()).rejects.toMatchObject({
      // As Redis 7.0 and as later servers say it.
      message: expect.stringMatching(/NOPERM in script: .+ doctor --user NAME|ACL failure in script/),
    });
  });

  it('tries the prefixes of the limiters that exist', async () => {
    await admin.acl('SETUSER', 'limiter', 'on', '>pass', '~app:*', '+@all');
    const [mine, other] = [1, 2].map(() => open({ url: `redis://limiter:pass@127.0.0.1:${server.port}` }));
    const options = { key: () => 'ada', name: 'minute', limit: 5, window: '1m' } as const;
    createLimiter({ ...options, store: mine!, prefix: 'app' });
    createLimiter({ ...options, store: other!, prefix: 'app' });
    createLimiter({ ...options, store: other!, prefix: 'web' });

    await mine!.ready();
    await expect(other!.ready()).rejects.toMatchObject({ message: expect.stringMatching(/NOPERM|No permissions/i) });
  });

  it.each<[string, () => Parameters<typeof redisStore>[0], RegExp]>([
    ['the password is wrong', () => ({ url: `redis://:wrong@127.0.0.1:${server.port}` }), /WRONGPASS/],
  ])('rejects at once if %s', async (_what, from, message) => {
    await admin.config('SET', 'requirepass', 'right');

    await expect(open(from()).ready()).rejects.toMatchObject({ message: expect.stringMatching(message) });
  });

  it('rejects at once for one node of a Cluster that is connected as a single server', async () => {
    const node = await startRedis({ args: ['--cluster-enabled', 'yes'] });
    const client = new Redis(node.port);
    await client.cluster('ADDSLOTSRANGE', 0, 16_383);
    await until(async () => (await client.cluster('INFO')).includes('cluster_state:ok'));
    const store = open({ url: node.url });
    const problems = new Set<string>();
    const unsubscribe = subscribe('sluice:config-fault', ({ problem }) => void problems.add(problem));

    const ready = store.ready();
    await expect(ready).rejects.toMatchObject({
      message: expect.stringContaining('the server is a node of a Cluster'),
    });
    const checks = Array.from({ length: 50 }, () => Promise.resolve(store.consume([claim()])));
    await Promise.allSettled(checks);
    unsubscribe();
    client.disconnect();
    await store.close();
    await node.stop();

    expect([...problems]).toEqual([
      'CLUSTER_NODE the server is a node of a Cluster: connect with redisStore({ cluster: [...] })',
    ]);
  });

  it('does not close the breaker of a server that is full', async () => {
    const store = open();
    await store.ready();
    const states: string[] = [];
    const unsubscribe = subscribe('sluice:breaker', ({ state }) => states.push(state));
    await admin.config('SET', 'maxmemory', '1', 'maxmemory-policy', 'noeviction');
    const one = claim();
    await until(async () => {
      await Promise.resolve(store.consume([one])).catch(() => undefined);
      return states.includes('open');
    });

    const watched = watch(store);
    await until(() => states.filter((state) => state === 'open').length > 3);
    unsubscribe();

    expect(watched.state).toBe('pending');
    expect(states).not.toContain('closed');
    await admin.config('SET', 'maxmemory', '0');
    await until(() => watched.state === 'ready');
  });
});

describe('redisStore, first connection', () => {
  it('decides the first checks of a process on Redis', async () => {
    // 40 clients connect at a time, and this claim is not about their speed.
    const atOnce = Array.from({ length: 40 }, () => open({ url: server.url }, { deadline: '10s' }));
    const answers = await Promise.all(atOnce.map((store) => store.consume([claim()])));

    expect(new Set(answers.map(({ source }) => source))).toEqual(new Set(['redis']));
  });

  it('waits for a server that starts after the process, and reports no outage', async () => {
    const port = await closedPort();
    const degraded: unknown[] = [];
    const unsubscribe = subscribe('sluice:degraded', (event) => degraded.push(event));
    const limiter = createLimiter({
      store: open({ url: `redis://127.0.0.1:${port}` }, { deadline: '10s', connectDeadline: '10s' }),
      key: () => 'ada',
      name: 'minute',
      limit: 5,
      window: '1m',
    });

    const first = limiter.consume({});
    const late = await startRedis({ args: ['--port', String(port)] });
    const { source } = await first;
    unsubscribe();
    await late.stop();

    expect([source, degraded]).toEqual(['redis', []]);
  });

  it('stops waiting at connectDeadline', async () => {
    const store = open({ url: `redis://127.0.0.1:${await closedPort()}` }, { connectDeadline: 200 });
    const startedAt = performance.now();

    await expect(store.consume([claim()])).rejects.toMatchObject({ message: expect.stringContaining('ECONNREFUSED') });
    const first = performance.now() - startedAt;
    const second = within(100, () => store.consume([claim()]));

    await expect(second).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    expect(first).toBeGreaterThanOrEqual(199);
  });
});
