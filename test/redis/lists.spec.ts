import { once } from 'node:events';
import { UsageError } from '@sluice/core';
import { subscribe } from '@sluice/http';
import { ipList, type IpList } from '@sluice/http/lists';
import { redisStore, type RedisStore } from '@sluice/redis';
import { Redis } from 'ioredis';
import { listViews } from '../../packages/http/src/lists/list-views.js';
import { patient } from '../support/patient.js';
import { startRedis, type RedisServer } from '../support/redis.js';
import { until, untilAnswered } from '../support/until.js';
import { within } from '../support/within.js';

/** For tests in which timers of hours ring: all but `setTimeout` is real. */
const NOT_TIMEOUTS = [
  'Date',
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'setInterval',
] as const;

let server: RedisServer;
let admin: Redis;
let stores: readonly RedisStore[];
let lists: IpList[] = [];
let number = 0;

beforeAll(async () => {
  server = await startRedis();
  admin = new Redis(server.port);
  stores = [redisStore({ url: server.url }, patient), redisStore({ url: server.url }, patient)];
  await Promise.all(stores.map((store) => store.ready()));
});

afterEach(() => {
  for (const list of lists.splice(0)) list.close();
});

afterAll(async () => {
  await Promise.all(stores.map((store) => store.close()));
  admin.disconnect();
  await server.stop();
});

/** The same list in two processes. */
function processes(refresh = '100ms'): readonly [IpList, IpList] {
  number += 1;
  const [one, other] = stores.map((store) =>
    ipList({ name: `list-${number}`, store, refresh, seed: ['203.0.113.0/24'] }),
  );
  lists = [one!, other!];
  return [one!, other!];
}

describe('a list of addresses on Redis', () => {
  it('is in force in the other process after its next refresh', async () => {
    const [one, other] = processes();

    await one.add('198.51.100.0/24', { note: 'scraper of Ünïcode' });
    await until(() => other.has('198.51.100.7'));
    const entries = other.entries();
    await other.remove('198.51.100.0/24');
    await until(() => !one.has('198.51.100.7'));

    expect(entries).toEqual([
      { network: '203.0.113.0/24', for: Infinity, note: '', isSeed: true },
      { network: '198.51.100.0/24', for: Infinity, note: 'scraper of Ünïcode', isSeed: false },
    ]);
    expect(one.has('203.0.113.7')).toBe(true);
  });

  it('is read again by the other process within 1.2 times its refresh', async () => {
    jest.useFakeTimers({ doNotFake: [...NOT_TIMEOUTS] });
    const [one, other] = processes('500ms');
    await Promise.all([one.ready(), other.ready()]);
    const isListed: boolean[] = [];

    for (let host = 1; host <= 4; host += 1) {
      const address = `198.51.100.${host}`;
      await one.add(address);
      // Its pause begins when it has been read.
      await new Promise(setImmediate);
      jest.advanceTimersByTime(1.2 * 500);
      for (let turn = 0; turn < 1e5 && !other.has(address); turn += 1) await new Promise(setImmediate);
      isListed.push(other.has(address));
    }
    jest.useRealTimers();

    expect(isListed).toEqual([true, true, true, true]);
  });

  it('ends a network by the clock of Redis, and drops it with the next change', async () => {
    const [one, other] = processes('1h');
    // Longer than a busy machine takes to look.
    await one.add('198.51.100.7', { for: '3s' });
    await other.refresh();
    const before = [one.has('198.51.100.7'), other.has('198.51.100.7'), other.entries()[1]!.for <= 3_000];

    await until(() => !one.has('198.51.100.7') && !other.has('198.51.100.7'));
    await one.add('192.0.2.1');

    expect(before).toEqual([true, true, true]);
    expect(await admin.hkeys(`rl:{${one.name}}:list`)).toEqual(expect.not.arrayContaining(['198.51.100.7']));
  });

  it('ends no network that another process has added again meanwhile', async () => {
    const [one, other] = processes('1h');
    await one.add('198.51.100.7', { for: '1s' });
    await until(() => !one.has('198.51.100.7'));
    await other.add('198.51.100.7', { for: '1h' });

    await one.add('192.0.2.1');
    await one.refresh();

    expect(one.has('198.51.100.7')).toBe(true);
  });

  it('sends the other process only what has changed', async () => {
    const [one, other] = processes('1h');
    const received = (info: string) => Number(/total_net_output_bytes:(\d+)/.exec(info)![1]);
    await one.add(Array.from({ length: 5_000 }, (_, index) => `10.0.${index >> 8}.${index & 255}`));
    await other.refresh();

    await one.remove('10.0.1.1');
    await one.add('10.0.2.2', { note: 'again' });
    const before = received(await admin.info('stats'));
    await other.refresh();
    const bytes = received(await admin.info('stats')) - before;

    expect([other.has('10.0.1.1'), other.entries().length]).toEqual([false, 5_000]);
    // The reply of INFO is most of them.
    expect(bytes).toBeLessThan(12_000);
  });

  it('asks for no networks that it knows', async () => {
    const [one] = processes('1h');
    await one.add(Array.from({ length: 2_000 }, (_, index) => `10.0.${index >> 8}.${index & 255}`));
    const sent = async () => Number(/total_net_output_bytes:(\d+)/.exec(await admin.info('stats'))![1]);

    await one.refresh();
    const before = await sent();
    await one.refresh();
    const bytes = (await sent()) - before;

    expect(one.has('10.0.7.207')).toBe(true);
    // The reply of INFO is most of them.
    expect(bytes).toBeLessThan(20_000);
  });

  it('rejects a change that would make it too long, and changes nothing', async () => {
    const [one] = processes('1h');
    const key = `rl:{${one.name}}:list`;
    for (let at = 0; at < 100_000; at += 10_000) {
      const networks = Array.from({ length: 10_000 }, (_, each) => [
        `10.${(at + each) >> 16}.${((at + each) >> 8) & 255}.${(at + each) & 255}`,
        '0 ',
      ]);
      await admin.hset(key, Object.fromEntries(networks) as Record<string, string>);
    }
    await admin.hset(key, 'version', `${Date.now()}000`);
    const first = '10.0.0.9';

    // A busy machine may take longer for so many than a list waits.
    const refusal = await untilAnswered(() =>
      one.add(['192.0.2.1', '192.0.2.2']).catch((error: Error) => error instanceof UsageError && error.message),
    );
    expect(refusal).toContain('a list has at most 100000 networks');
    await one.add(first, { note: 'again' });
    await one.remove(first);
    await one.add('192.0.2.3');

    const fields = ['192.0.2.1', '192.0.2.2', first, '192.0.2.3'];
    expect(await admin.hmget(key, ...fields)).toEqual([null, null, null, '0 ']);
  });

  it('is ready when it is loaded, and not without Redis', async () => {
    const [one, other] = processes('1h');
    await one.add('198.51.100.7');
    const fresh = ipList({ name: one.name, store: stores[0]!, refresh: '1h' });
    const refused = redisStore({ url: server.url.replace('//', '//user:wrong@') });
    const never = ipList({ name: 'never', store: refused });
    lists = [one, other, fresh, never];

    await fresh.ready();
    const failure = never.ready();

    expect([fresh.isLoaded, fresh.has('198.51.100.7')]).toEqual([true, true]);
    await expect(failure).rejects.toMatchObject({ name: 'StoreError', message: expect.stringContaining('WRONGPASS') });
    expect(never.isLoaded).toBe(false);
    await refused.close();
  });

  it('stays as it is while Redis is away, and says so once', async () => {
    const warnings = jest.spyOn(process, 'emitWarning').mockImplementation();
    const own = await startRedis();
    const store = redisStore({ url: own.url });
    const list = ipList({ name: 'away', store, refresh: '100ms' });
    await list.ready();
    await list.add('198.51.100.7');
    await own.stop();

    await until(() =>
      warnings.mock.calls.some(([, options]) => (options as unknown as { code: string }).code === 'SLUICE_LIST_STALE'),
    );
    await until(() => listViews.of(store)[0]!.overdue > 0);
    const still = list.has('198.51.100.7');
    await expect(list.add('192.0.2.1')).rejects.toMatchObject({ name: 'StoreError' });
    list.close();
    await store.close();
    warnings.mockRestore();

    expect([still, list.has('192.0.2.1')]).toEqual([true, false]);
  });

  it('is read again within 6 seconds after a failure, also with a refresh of an hour', async () => {
    jest.useFakeTimers({ doNotFake: [...NOT_TIMEOUTS] });
    const [one, other] = processes('1h');
    const [key, failures] = [`rl:{${one.name}}:list`, jest.fn()];
    const end = subscribe('sluice:list-failed', failures);
    await Promise.all([one.ready(), other.ready()]);
    await new Promise(setImmediate);
    await admin.set(key, 'of another program');
    const view = () => listViews.of(stores[0]!).find(({ name }) => name === one.name)!;

    const before = view();
    jest.advanceTimersByTime(1.2 * 3_600_000);
    while (failures.mock.calls.length < 2) await new Promise(setImmediate);
    await admin.del(key);
    await other.add('198.51.100.7');
    jest.advanceTimersByTime(1.2 * 5_000);
    for (let turn = 0; turn < 1e5 && !one.has('198.51.100.7'); turn += 1) await new Promise(setImmediate);
    jest.useRealTimers();
    end();

    expect(before.overdue).toBe(0);
    expect(one.has('198.51.100.7')).toBe(true);
  });

  it('is not read after its end, also when its client connects later', async () => {
    const own = await startRedis();
    const client = new Redis(own.port);
    await once(client, 'ready');
    client.disconnect();
    await once(client, 'end');
    const store = redisStore(client);
    const list = ipList({ name: 'closed', store, refresh: '1h' });
    await expect(list.refresh()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    await new Promise(setImmediate);

    list.close();
    await client.connect();
    await client.ping();
    const commands = await client.info('commandstats');
    client.disconnect();
    await store.close();
    await own.stop();

    expect(commands).not.toContain('evalsha');
    expect(list.isLoaded).toBe(false);
  });

  it('is not read to its end if it is closed in the meantime', async () => {
    const [filling] = processes('1h');
    await filling.add(Array.from({ length: 2_000 }, (_, index) => `10.0.${index >> 8}.${index & 255}`));
    const list = ipList({ name: filling.name, store: stores[1]!, refresh: '1h' });
    lists.push(list);
    await until(() => list.entries().length > 0);

    list.close();
    const read = list.entries().length;
    await stores[1]!.ready();
    await stores[1]!.ready();

    expect(list.entries()).toHaveLength(read);
    expect(list.isLoaded).toBe(false);
    await expect(list.refresh()).rejects.toMatchObject({ code: 'STORE_CLOSED' });
    await expect(list.ready()).rejects.toMatchObject({ code: 'STORE_CLOSED' });
  });

  it('rejects at once if its store is closed, and is not read again', async () => {
    const warnings = jest.spyOn(process, 'emitWarning').mockImplementation();
    const store = redisStore({ url: server.url }, patient);
    await store.close();

    const list = ipList({ name: 'never', store, refresh: '1h' });
    lists.push(list);
    const ready = within(2_000, () => list.ready());

    await expect(ready).rejects.toMatchObject({ code: 'STORE_CLOSED' });
    expect(list.started()).toBeUndefined();
    expect(warnings).not.toHaveBeenCalled();
    warnings.mockRestore();
  });
});
