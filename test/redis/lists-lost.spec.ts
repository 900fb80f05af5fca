import { subscribe } from '@sluice/http';
import { ipList, type IpList } from '@sluice/http/lists';
import { redisStore, type RedisStore } from '@sluice/redis';
import { Redis } from 'ioredis';
import { patient } from '../support/patient.js';
import { readyAgain } from '../support/ready-again.js';
import { startRedis, type RedisServer } from '../support/redis.js';
import { until } from '../support/until.js';
import { warningCatcher } from '../support/warnings.js';

let server: RedisServer;
let admin: Redis;
const stores: RedisStore[] = [];
const lists: IpList[] = [];

beforeEach(async () => {
  server = await startRedis();
  admin = new Redis(server.port);
});

afterEach(async () => {
  for (const list of lists.splice(0)) list.close();
  await Promise.all(stores.splice(0).map((store) => store.close()));
  admin.disconnect();
  await server.stop();
});

/** The list in a process. */
async function processWith(refresh = '1h'): Promise<IpList> {
  const store = redisStore({ url: server.url }, patient);
  stores.push(store);
  const list = ipList({ name: 'blocked', store, refresh });
  lists.push(list);
  await list.ready();
  return list;
}

const networksOf = (list: IpList) =>
  list
    .entries()
    .map(({ network, note }) => `${network} ${note}`)
    .toSorted();

/** The same networks, as the store has them. */
async function stored(): Promise<string[]> {
  const fields = Object.entries(await admin.hgetall('rl:{blocked}:list'));
  return fields
    .filter(([name]) => /[.:]/.test(name))
    .map(([name, value]) => `${name} ${value.slice(value.indexOf(' ') + 1)}`)
    .toSorted();
}

describe('a list that Redis has lost', () => {
  const warnings = warningCatcher();

  it('stays in force after a restart without data, is written back, and is reported', async () => {
    const events: unknown[] = [];
    const end = subscribe('sluice:list-lost', (event) => events.push(event));
    const one = await processWith('100ms');
    await one.add('198.51.100.7', { note: 'scraper' });
    await one.add('203.0.113.0/24', { for: '1h' });
    const [, before] = one.entries();

    await server.restart();
    const still = one.has('198.51.100.7');
    await until(async () => (await stored()).length === 2);
    const fresh = await processWith();
    end();

    const [, after] = fresh.entries();
    expect([still, one.has('198.51.100.7')]).toEqual([true, true]);
    expect(networksOf(fresh)).toEqual(['198.51.100.7 scraper', '203.0.113.0/24 ']);
    expect(Math.abs(after!.for - before!.for)).toBeLessThan(30_000);
    expect(events).toEqual([{ list: 'blocked', changes: 2 }]);
    expect(warnings().find(([code]) => code === 'SLUICE_LIST_LOST')).toEqual([
      'SLUICE_LIST_LOST',
      'ipList "blocked": Redis has lost 2 of its changes. They stay in force here, and will be written back',
    ]);
  });

  it.each(['rl:{blocked}:list', 'rl:{blocked}:list-log'])('is complete again after the eviction of %s', async (key) => {
    const one = await processWith();
    await one.add(['198.51.100.7', '198.51.100.8'], { note: 'scraper' });
    await one.remove('198.51.100.8');

    await admin.del(key);
    await one.refresh();
    const fresh = await processWith();

    expect(networksOf(one)).toEqual(['198.51.100.7 scraper']);
    expect(networksOf(fresh)).toEqual(networksOf(one));
  });

  it('has after a loss what each process adds, and what all of them know', async () => {
    const [one, other] = [await processWith(), await processWith()];
    await one.add(Array.from({ length: 1_000 }, (_, index) => `10.0.${index >> 8}.${index & 255}`));
    await other.refresh();
    await admin.flushall();

    await (await processWith()).add('192.0.2.1', { note: 'new' });
    for (let times = 0; times < 3; times += 1) await Promise.all([one.refresh(), other.refresh()]);

    expect(await stored()).toHaveLength(1_001);
    expect(await stored()).toEqual(networksOf(one));
    expect(networksOf(other)).toEqual(networksOf(one));
  });

  it('does not get a network back that the process of the last removal knows', async () => {
    const [late, current] = [await processWith(), await processWith()];
    await late.add(['198.51.100.7', '198.51.100.8']);
    await current.refresh();
    await current.remove('198.51.100.7');
    await admin.flushall();

    // The process that has not heard of the removal writes back first.
    await late.refresh();
    const between = await stored();
    await current.refresh();
    await late.refresh();

    expect(between).toEqual(['198.51.100.7 ', '198.51.100.8 ']);
    expect([await stored(), networksOf(late), networksOf(current)]).toEqual(
      Array.from({ length: 3 }, () => ['198.51.100.8 ']),
    );
  });

  it('does not get a network back whose removal everybody has forgotten', async () => {
    const [away, current] = [await processWith(), await processWith()];
    await away.add('198.51.100.7');
    await current.refresh();
    await current.remove('198.51.100.7');
    const others = Array.from({ length: 6_000 }, (_, index) => `10.0.${index >> 8}.${index & 255}`);
    await current.add(others);
    await current.remove(others);
    await current.refresh();
    await admin.flushall();
    await current.add('192.0.2.1');
    await current.refresh();

    await away.refresh();
    await away.refresh();

    expect(await stored()).toEqual(['192.0.2.1 ']);
    expect(networksOf(away)).toEqual(['192.0.2.1 ']);
  });

  it('gets changes back that a backup of Redis does not have', async () => {
    const one = await processWith();
    await one.add(['198.51.100.7', '198.51.100.8']);
    const backup = await Promise.all(['list', 'list-log'].map((name) => admin.dumpBuffer(`rl:{blocked}:${name}`)));
    await one.remove('198.51.100.7');
    await one.add('198.51.100.9', { note: 'late' });
    await one.refresh();
    await admin.flushall();
    await admin.restore('rl:{blocked}:list', 0, backup[0]!);
    await admin.restore('rl:{blocked}:list-log', 0, backup[1]!);

    await one.refresh();

    expect(await stored()).toEqual(['198.51.100.8 ', '198.51.100.9 late']);
  });

  it('stays empty if it was emptied, without a report', async () => {
    const [one, other] = [await processWith(), await processWith()];
    await one.add('198.51.100.7');
    await other.refresh();

    await one.remove('198.51.100.7');
    await other.refresh();
    await one.refresh();

    expect([networksOf(one), networksOf(other), await stored()]).toEqual([[], [], []]);
    expect(warnings()).toEqual([]);
  });

  it('is reported once, before Redis takes it back', async () => {
    const events: unknown[] = [];
    const end = subscribe('sluice:list-lost', (event) => events.push(event));
    const one = await processWith();
    await one.add('198.51.100.7');
    await admin.flushall();
    // A server without replicas takes no writes then.
    await admin.config('SET', 'min-replicas-to-write', 1);

    const refusals = await Promise.allSettled([one.refresh(), one.refresh()]);
    const reported = [...events];
    await admin.config('SET', 'min-replicas-to-write', 0);
    await one.refresh();
    end();

    expect(refusals.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(reported).toEqual([{ list: 'blocked', changes: 1 }]);
    expect(events).toEqual(reported);
    expect(await stored()).toEqual(['198.51.100.7 ']);
  });

  it('has not lost the removal of a network that was never on it', async () => {
    const client = new Redis(server.port);
    const store = redisStore(client, patient);
    stores.push(store);
    const list = ipList({ name: 'blocked', store, refresh: '1h' });
    lists.push(list);
    await list.add('198.51.100.7');
    await list.remove(['198.51.100.8', '198.51.100.9']);

    // The process reads the whole list when it has reconnected.
    const isBack = readyAgain(client);
    client.disconnect(true);
    await isBack;
    await list.refresh();
    client.disconnect();

    expect([networksOf(list), await stored()]).toEqual([['198.51.100.7 '], ['198.51.100.7 ']]);
    expect(warnings().filter(([code]) => code === 'SLUICE_LIST_LOST')).toEqual([]);
  });

  it('reads what 0.1.0 has written, and what it writes meanwhile', async () => {
    const key = 'rl:{blocked}:list';
    await admin.hset(key, '198.51.100.7', '0 scraper', '203.0.113.0/24', `${Date.now() + 3_600_000} `);
    await admin.hset(key, 'version', String(Date.now() * 1_000));
    const one = await processWith();
    const before = networksOf(one);

    await admin.hdel(key, '198.51.100.7');
    await admin.hset(key, '192.0.2.1', '0 later', 'version', String(Date.now() * 1_000 + 1));
    await one.refresh();

    expect(before).toEqual(['198.51.100.7 scraper', '203.0.113.0/24 ']);
    expect(networksOf(one)).toEqual(['192.0.2.1 later', '203.0.113.0/24 ']);
    expect(warnings()).toEqual([]);
  });
});
