import type { Look } from '@sluice/dashboard';
import { Redis } from 'ioredis';
import { acl, allowed, userOf } from '../security/redis/acl.js';
import { commandsCalled, commandsRefused } from '../security/redis/command-log.js';
import { startCluster } from '../support/cluster.js';
import { startProgram, type Program } from '../support/program.js';
import { startRedis } from '../support/redis.js';
import { startSentinel } from '../support/sentinel.js';
import { until } from '../support/until.js';
import { openPage, type OpenPage } from './open-page.js';

const NAME_AND_PASSWORD = { username: 'ratelimit', password: 'password' };
const LIMIT = 5;

interface Servers {
  /** Options of `redisStore`. */
  readonly redis: object;
  /** Ports of all that hold keys. */
  readonly ports: readonly number[];
  readonly rights: string;
  stop(): Promise<unknown>;
}

const kinds: readonly [name: string, start: () => Promise<Servers>][] = [
  [
    'a server',
    async () => {
      const server = await startRedis();
      const redis = { url: server.url, connection: NAME_AND_PASSWORD };
      return { redis, ports: [server.port], rights: acl.server, stop: () => server.stop() };
    },
  ],
  [
    'Sentinels',
    async () => {
      const server = await startRedis();
      const sentinel = await startSentinel(server);
      const redis = { ...sentinel.group, connection: NAME_AND_PASSWORD };
      const stop = () => Promise.all([sentinel.stop(), server.stop()]);
      return { redis, ports: [server.port], rights: acl.server, stop };
    },
  ],
  [
    'a Cluster',
    async () => {
      const cluster = await startCluster();
      const redis = { cluster: cluster.startupNodes, connection: NAME_AND_PASSWORD };
      const ports = cluster.nodes.map(({ port }) => port);
      return { redis, ports, rights: acl.cluster, stop: () => cluster.stop() };
    },
  ],
];

describe.each(kinds)('three dashboards with fleet: true on %s', (_name, start) => {
  let servers: Servers;
  let admins: Redis[];
  let programs: Program[];
  let page: OpenPage;
  const urlOf = (index: number) => `http://127.0.0.1:${(programs[index]!.started as { port: number }).port}/`;
  const send = (index: number, user: string, times: number) => programs[index]!.request({ user, times });

  beforeAll(async () => {
    servers = await start();
    admins = servers.ports.map((port) => new Redis(port));
    for (const admin of admins) await admin.call('ACL', userOf(servers.rights));
    const options = JSON.stringify({ redis: servers.redis, limit: LIMIT });
    programs = await Promise.all([0, 1, 2].map(() => startProgram('test/dashboard/process.mjs', [options])));
    for (const admin of admins) {
      await admin.config('RESETSTAT');
      await admin.call('ACL', ['LOG', 'RESET']);
    }
    // Before the page opens, so that its first sum has a past.
    await send(1, 'ada', 3);
  });

  afterAll(async () => {
    page.close();
    await Promise.all(programs.map((program) => program.stop()));
    for (const admin of admins) admin.disconnect();
    await servers.stop();
  });

  it('send one GET in two seconds while no page is open', async () => {
    const commands = await commandsCalled(admins);

    expect(commands.filter((name) => ['lrange', 'lpush'].includes(name))).toEqual([]);
    expect(await keysOf(admins)).toEqual([]);
  });

  it('show what all of them have decided', async () => {
    page = await openPage(urlOf(0));
    await until(() => page.tick?.processes.length === 3);
    const denied = await Promise.all([send(0, 'ada', 4), send(1, 'ada', 5), send(2, 'grace', 7)]);
    await until(() => totalOf(page) === 19);

    expect(denied.reduce<number>((sum, each) => sum + (each as { denied: number }).denied, 0)).toBe(9);
    expect(page.tick!.decisions).toEqual({ ok: 10, denied: 9, never: 0, unavailable: 0, shed: 0 });
    expect(page.tick!.tiers.map(({ name, outcomes }) => [name, totalIn(outcomes)])).toEqual([['minute', 19]]);
    expect(page.tick!.processes.map(({ decisions }) => totalIn(decisions))).toEqual(expect.arrayContaining([4, 7, 8]));
  });

  it('add up identities, and show labels of their own process alone', async () => {
    await until(() => page.tick!.top.denied.reduce((total, { count }) => total + count, 0) === 9);

    const [first, second] = page.tick!.top.denied;
    expect(first).toMatchObject({ tier: 'minute', label: 'label of ada', count: 7, error: 0, share: 7 / 9 });
    expect(second).toMatchObject({ tier: 'minute', count: 2, error: 0, share: 2 / 9 });
    expect(second).not.toHaveProperty('label');
    expect(JSON.stringify(await textsOf(admins))).not.toContain('label');
  });

  it('have the seconds of others in the chart, but not those before the page', async () => {
    const total = () => {
      const { ok, denied } = page.tick!.recent;
      return [...ok, ...denied].reduce((left, right) => left + right, 0);
    };

    await until(() => total() >= 16);

    expect(total()).toBe(16);
  });

  it('find an identity that another process has denied', async () => {
    const { tier, digest } = page.tick!.top.denied[1]!;
    const response = await fetch(`${urlOf(0)}api/look`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ tier, digest }),
    });

    expect(((await response.json()) as Look).tiers).toMatchObject([{ tier: 'minute', allowed: false }]);
  });

  it('use no right that a limiter does not have, and leave no key without expiry', async () => {
    const keys = await keysOf(admins);
    const expiries = await Promise.all(keys.map(([admin, key]) => admin.pttl(key)));

    expect(keys.map(([, key]) => key.replace(/:[\w-]{8}$/, ':ID')).toSorted()).toEqual([
      'rl:{~fleet}:ID',
      'rl:{~fleet}:ID',
      'rl:{~fleet}:ID',
      'rl:{~fleet}:processes',
      'rl:{~fleet}:watched',
    ]);
    expect(expiries.filter((each) => each < 0)).toEqual([]);
    expect(await commandsRefused(admins)).toEqual([]);
    const beyond = (await commandsCalled(admins)).filter((name) => !allowed(servers.rights).includes(name));
    expect(beyond.filter((name) => !TOOLS.includes(name))).toEqual([]);
  });

  it('keep the counts of a process that has ended', async () => {
    await programs.pop()!.stop();
    await until(() => page.tick!.processes.some(({ age }) => age > 4_000));
    await send(0, 'joan', 1);
    await until(() => totalOf(page) === 20);

    expect(page.tick!.decisions).toEqual({ ok: 11, denied: 9, never: 0, unavailable: 0, shed: 0 });
  });
});

/** What the test, its Sentinels and its Cluster send. */
const TOOLS = ['ping', 'keys', 'pttl', 'type', 'publish', 'subscribe', 'client|setinfo', 'replconf', 'psync', 'select'];

function totalOf({ tick }: OpenPage): number {
  return tick ? totalIn(tick.decisions) : 0;
}

function totalIn(counts: object): number {
  return (Object.values(counts) as number[]).reduce((left, right) => left + right, 0);
}

async function keysOf(admins: readonly Redis[]): Promise<[Redis, string][]> {
  const keys = await Promise.all(admins.map(async (admin) => ({ admin, keys: await admin.keys('*~fleet*') })));
  return keys.flatMap(({ admin, keys: names }) => names.map((key): [Redis, string] => [admin, key]));
}

/** What the keys of a fleet hold. */
async function textsOf(admins: readonly Redis[]): Promise<unknown[]> {
  const keys = await keysOf(admins);
  const texts = keys.filter(([, key]) => !key.endsWith(':processes'));
  return Promise.all(texts.map(([admin, key]) => admin.get(key)));
}
