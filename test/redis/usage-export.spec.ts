import { hash } from 'node:crypto';
import { createLimiter } from '@sluice/core';
import { exportUsage, usage, type UsageRow } from '@sluice/quotas';
import { redisStore, type RedisStore } from '@sluice/redis';
import { Redis } from 'ioredis';
import { usageKey } from '../../packages/core/src/stores/usage-key.js';
import { ageUsage } from '../support/age-usage.js';
import { withCluster } from '../support/cluster.js';
import { withRedis } from '../support/redis-store.js';

const USERS = Array.from({ length: 30 }, (_, index) => `user-${index}`);

/** What a sink has stored: of each row that of the highest revision. */
class Table {
  readonly rows = new Map<string, UsageRow>();

  put(rows: readonly UsageRow[]): void {
    for (const row of rows) {
      if ((this.rows.get(row.id)?.revision ?? 0) <= row.revision) this.rows.set(row.id, row);
    }
  }

  get units(): number {
    return [...this.rows.values()].reduce((sum, { units }) => sum + units, 0);
  }
}

const tierOf = (name: string) =>
  ({
    name,
    key: (user: string) => user,
    algorithm: 'fixed-window',
    limit: 1_000,
    window: '1d',
    usage: usage(),
  }) as const;

describe('exportUsage on Redis', () => {
  const redis = withRedis();
  const stores: RedisStore[] = [];
  const open = (options: object = {}) => {
    const store = redisStore({ url: redis.server.url, ...options }, { deadline: '5s' });
    stores.push(store);
    return store;
  };

  afterEach(() => redis.client.flushall());
  afterAll(() => Promise.all(stores.map((store) => store.close())));

  it('gives each hour to the sink once, of the processes that export together', async () => {
    const table = new Table();
    let given = 0;
    const sink = async (rows: readonly UsageRow[]) => {
      given += rows.length;
      await new Promise((resolve) => setTimeout(resolve, 20));
      table.put(rows);
    };
    const limiters = [open(), open(), open(), open()].map((store) => ({
      store,
      limiter: createLimiter<string>({ store, tiers: [tierOf('day')] }),
    }));
    for (const [index, user] of USERS.entries()) {
      await limiters[index % 4]!.limiter.consume(user, { cost: index + 1 });
    }
    await ageUsage(redis.client);

    const running = limiters.map(({ store }) => exportUsage(store, { sink }));
    await Promise.all(running.map((each) => each.run()));
    await Promise.all(running.map((each) => each.run()));
    await Promise.all(running.map((each) => each.close()));

    expect([given, table.units]).toEqual([30, 465]);
  });

  it('gives an hour again that a settlement has changed meanwhile', async () => {
    const table = new Table();
    const store = open();
    const limiter = createLimiter<string>({ store, tiers: [tierOf('day')] });
    const running = exportUsage(store, {
      sink: async (rows) => {
        // While the sink stores what it has been given.
        if (table.rows.size === 0) await redis.client.hincrby(usageKey(key), String(hour), -4);
        table.put(rows);
      },
    });
    await limiter.consume('ada', { cost: 10 });
    const { key } = (await limiter.inspect('ada'))[0]!;
    await ageUsage(redis.client);
    const [hour] = Object.keys(await redis.client.hgetall(usageKey(key)));

    await running.run();
    expect(table.units).toBe(10);
    await running.run();
    await running.close();

    expect(table.units).toBe(6);
    expect(await redis.client.hgetall(usageKey(key))).toEqual({ [`x${hour}`]: '6' });
  });

  it('leaves the right number with a sink when an export that was held up ends after another', async () => {
    const table = new Table();
    let release!: () => void;
    const held = new Promise<void>((resolve) => (release = resolve));
    const [slow, fast] = [open(), open()];
    const limiter = createLimiter<string>({ store: slow, tiers: [tierOf('day')] });
    createLimiter<string>({ store: fast, tiers: [tierOf('day')] });
    const first = exportUsage(slow, {
      sink: async (rows) => {
        await held;
        table.put(rows);
      },
    });
    const second = exportUsage(fast, { sink: (rows) => table.put(rows) });
    await limiter.consume('ada', { cost: 10 });
    await ageUsage(redis.client);

    const holding = first.run();
    await new Promise((resolve) => setTimeout(resolve, 50));
    // Its lock ends, as after a minute, and the hour changes.
    await redis.client.del('rl:{~usage}:lock');
    const [key] = await redis.client.keys('*:used');
    const [hour] = await redis.client.hkeys(key!);
    await redis.client.hincrby(key!, hour!, 5);
    await second.run();
    // As many units as the first export has read: its mark would leave nothing due.
    await redis.client.hincrby(key!, hour!, 10);
    release();
    await holding;
    await first.run();
    await Promise.all([first.close(), second.close()]);

    expect(table.units).toBe(25);
    expect(await redis.client.hgetall(key!)).toEqual({ [`x${hour}`]: '25' });
  });

  it('ends when another process has taken its lock between two batches, and leaves the rest due', async () => {
    const table = new Table();
    let batches = 0;
    const store = open();
    const limiter = createLimiter<string>({ store, tiers: [tierOf('day')] });
    await Promise.all(Array.from({ length: 501 }, (_, index) => limiter.consume(`user-${index}`)));
    await ageUsage(redis.client);
    const running = exportUsage(store, {
      sink: async (rows) => {
        batches += 1;
        table.put(rows);
        // Its lock ends, as after a minute.
        if (batches === 1) await redis.client.del('rl:{~usage}:lock');
      },
    });

    const lost = await running.run();
    const [given, unitsBefore] = [batches, table.units];
    await running.run();
    await running.close();

    expect(lost.problem).toMatch(/lock/);
    expect([given, unitsBefore, table.units]).toEqual([1, 500, 501]);
  });

  it('gives rows a higher revision, also when Redis has lost the last one', async () => {
    const table = new Table();
    const store = open();
    const limiter = createLimiter<string>({ store, tiers: [tierOf('day')] });
    const running = exportUsage(store, { sink: (rows) => table.put(rows) });
    // The row has the number of the second run.
    await running.run();
    await limiter.consume('ada', { cost: 10 });
    await ageUsage(redis.client);
    await running.run();

    const [key] = await redis.client.keys('*:used');
    await redis.client.del('rl:{~usage}:exports');
    const [field] = await redis.client.hkeys(key!);
    await redis.client.hset(key!, field!.slice(1), '-3');
    await running.run();
    await running.close();

    expect(table.units).toBe(7);
  });

  it('gives no row below 0, after a refund of a charge that Redis has lost', async () => {
    const table = new Table();
    const store = open();
    const limiter = createLimiter<string>({ store, tiers: [tierOf('day')] });
    await limiter.consume('ada', { cost: 3 });
    await ageUsage(redis.client);
    const [key] = await redis.client.keys('*:used');
    const [hour] = await redis.client.hkeys(key!);
    await redis.client.hset(key!, hour!, '-3');

    const running = exportUsage(store, { sink: (rows) => table.put(rows) });
    await running.run();
    await running.close();

    expect([...table.rows.values()].map(({ units }) => units)).toEqual([0]);
  });

  it('gives an hour again that was refunded whole, because a sink that failed may have stored it', async () => {
    const table = new Table();
    const store = open();
    const limiter = createLimiter<string>({ store, tiers: [tierOf('day')] });
    await limiter.consume('ada', { cost: 3 });
    await ageUsage(redis.client);
    let fails = true;
    const sink = (rows: readonly UsageRow[]) => {
      table.put(rows);
      if (fails) throw new Error('no answer in time');
    };
    const running = exportUsage(store, { sink });
    await running.run();
    fails = false;

    const [key] = await redis.client.keys('*:used');
    const [hour] = await redis.client.hkeys(key!);
    await redis.client.hincrby(key!, hour!, -3);
    await running.run();
    await running.run();
    await running.close();

    expect([...table.rows.values()].map(({ units }) => units)).toEqual([0]);
    expect(running.status()).toMatchObject({ rows: 1, problem: undefined });
    expect(await redis.client.hkeys(key!)).toEqual([`x${hour}`]);
  });

  /** The names of the commands that a run sends to Redis in its scripts. */
  async function commandsOf(run: () => Promise<unknown>): Promise<readonly string[]> {
    await redis.client.config('RESETSTAT');
    await run();
    return [...(await redis.client.info('commandstats')).matchAll(/^cmdstat_(\w+)/gm)].map(([, name]) => name!);
  }

  it('scans the keys once, and then finds open hours in the set that charges add to', async () => {
    const table = new Table();
    const store = open();
    const limiter = createLimiter<string>({ store, tiers: [tierOf('day')] });
    const running = exportUsage(store, { sink: (rows) => table.put(rows) });
    await limiter.consume('before', { cost: 3 });
    const first = await commandsOf(() => running.run());
    await limiter.consume('ada', { cost: 4 });
    await ageUsage(redis.client);
    const second = await commandsOf(() => running.run());
    await running.close();

    expect([first.includes('scan'), second.includes('scan'), table.units]).toEqual([true, false, 7]);
    // Of an hour that an export has, nothing stays in the set.
    await exportUsage(store, { sink: () => undefined }).run();
    expect(await redis.client.zrange('rl:{~usage}:open', '0', '-1')).toEqual(['begun', 'scanned']);
  });

  it('adds nothing to a set where no process exports', async () => {
    const limiter = createLimiter<string>({ store: open(), tiers: [tierOf('day')] });
    await limiter.consume('ada');

    expect(await redis.client.exists('rl:{~usage}:open')).toBe(0);
  });

  it('finds open hours by a scan when Redis has lost the set of them', async () => {
    const table = new Table();
    const store = open();
    const limiter = createLimiter<string>({ store, tiers: [tierOf('day')] });
    const running = exportUsage(store, { sink: (rows) => table.put(rows) });
    await running.run();
    await limiter.consume('ada', { cost: 4 });
    await ageUsage(redis.client);
    await redis.client.del('rl:{~usage}:open');

    await running.run();
    await running.close();

    expect(table.units).toBe(4);
  });

  it('finds hours again that a clock which was ahead has counted', async () => {
    const table = new Table();
    const store = open();
    const limiter = createLimiter<string>({ store, tiers: [tierOf('day')] });
    const running = exportUsage(store, { sink: (rows) => table.put(rows) });
    await running.run();
    await limiter.consume('ada', { cost: 4 });
    const [key] = await redis.client.keys('*:used');
    const [hour] = await redis.client.hkeys(key!);
    await redis.client.hdel(key!, hour!);
    await redis.client.hset(key!, String(Number(hour) + 5), '4');
    await running.run();

    await redis.client.hdel(key!, String(Number(hour) + 5));
    await redis.client.hset(key!, String(Number(hour) - 5), '4');
    await running.run();
    await running.close();

    expect(table.units).toBe(4);
  });

  it('exports what version 0.2.0 has left, under the ids that its rows had, and scans until nothing is left', async () => {
    const table = new Table();
    const store = open();
    const limiter = createLimiter<string>({ store, tiers: [tierOf('of:a day')] });
    const { key } = (await limiter.inspect('ada'))[0]!;
    const hour = Math.floor(Date.now() / 3_600_000) - 2;
    await redis.client.hset(`${key}:usage`, { [hour]: '4', [`x${hour}`]: '3', [`x${hour - 1}`]: '9' });
    // Another shape than that of the tier now.
    await redis.client.hset(`${key.slice(0, -5)}sw123:usage`, { [hour]: '5' });

    const running = exportUsage(store, { sink: (rows) => table.put(rows) });
    await running.run();
    const scans = [await commandsOf(() => running.run()), await commandsOf(() => running.run())];
    await running.close();

    const id = hash('sha256', `${key} ${hour}`, 'base64url').slice(0, 22);
    expect(table.rows.get(id)).toMatchObject({ tier: 'of:a day', units: 7, partition: undefined });
    expect([...table.rows.values()].map(({ tier, units }) => [tier, units])).toEqual(
      expect.arrayContaining([
        ['of:a day', 7],
        ['of:a day', 5],
      ]),
    );
    expect(scans.map((names) => names.includes('scan'))).toEqual([true, false]);
  });

  it('finds keys that a client begins with a prefix of its own, and names with signs of patterns', async () => {
    const table = new Table();
    const client = new Redis(redis.server.port, {
      keyPrefix: 'app[1]*:',
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
    });
    await new Promise((resolve) => client.once('ready', resolve));
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation();
    const store = redisStore(client, { deadline: '5s' });
    const limiter = createLimiter<string>({ store, tiers: [tierOf('a?b*')] });
    await limiter.consume('ada', { cost: 3 });
    await ageUsage(redis.client);

    const running = exportUsage(store, { sink: (rows) => table.put(rows) });
    await running.run();
    await running.close();
    await store.close();
    client.disconnect();
    warned.mockRestore();

    expect([...table.rows.values()].map(({ tier, units }) => [tier, units])).toEqual([['a?b*', 3]]);
  });
});

describe('exportUsage on a Cluster', () => {
  const opened = withCluster();

  it('gives the usage of all primaries to the sink', async () => {
    const table = new Table();
    const store = redisStore(opened.client, { deadline: '5s' });
    const limiter = createLimiter<string>({ store, tiers: [tierOf('day')] });
    await Promise.all(USERS.map((user) => limiter.consume(user, { cost: 2 })));
    await Promise.all(opened.client.nodes('master').map(ageUsage));

    const running = exportUsage(store, { sink: (rows) => table.put(rows) });
    const status = await running.run();
    await running.close();
    await store.close();

    expect(status).toMatchObject({ rows: 30, problem: undefined });
    expect(table.units).toBe(60);
  });
});
