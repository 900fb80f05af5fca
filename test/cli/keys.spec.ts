import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createLimiter } from '@sluice/http';
import { ipList } from '@sluice/http/lists';
import { redisStore, type RedisStore } from '@sluice/redis';
import { Redis } from 'ioredis';
import { root } from '../../scripts/root.mjs';
import { spawn } from '../support/child.js';
import { environment } from '../support/environment.js';
import { startCluster } from '../support/cluster.js';
import { startRedis, type RedisServer } from '../support/redis.js';
import { until } from '../support/until.js';
import { documentOf, sluice, sluiceAlone, withConfig } from './sluice.js';

interface Fault {
  readonly count: number;
  readonly examples: readonly string[];
}

interface Inventory {
  readonly fit: boolean;
  readonly keys: number;
  readonly kinds: readonly {
    readonly kind: string;
    readonly tier: string | null;
    readonly name: string | null;
    readonly loss: string;
    readonly keys: number;
    readonly bytes: number | null;
    readonly orphan: boolean | null;
    readonly ttl: { readonly least: number; readonly median: number; readonly most: number } | null;
  }[];
  readonly withoutExpiry: Fault;
  readonly wrongType: Fault;
  readonly foreign: Fault;
  readonly orphans?: Fault;
  readonly stranded?: Fault;
  readonly unchecked: readonly string[];
}

const tiers = [
  { name: 'user:hour', limit: 100, window: '1h' },
  { name: 'user-log', algorithm: 'sliding-window-log', limit: 100, window: '1h' },
] as const;

let server: RedisServer;
let admin: Redis;

beforeAll(async () => {
  server = await startRedis();
  admin = new Redis(server.port);
});

beforeEach(() => admin.flushall());

afterAll(async () => {
  admin.disconnect();
  await server.stop();
});

/** Traffic of 40 users, whose second tier records texts. */
async function use(store: RedisStore, users = 40): Promise<void> {
  const key = ({ user }: { user: string }) => user;
  const [hour, log] = tiers;
  const limiter = createLimiter<{ user: string }>({
    store,
    tiers: [
      { ...hour, key },
      { ...log, key, record: ({ user }) => user },
    ],
  });
  await store.ready();
  await Promise.all(Array.from({ length: users }, (_, index) => limiter.consume({ user: `user${index}` })));
  await limiter.close();
  await store.close();
}

const storeOf = (url: string) => redisStore({ url }, { deadline: '5s' });

async function count(url: string, ...args: string[]) {
  const run = await sluice(['keys', '--json', '--rate', '100', ...args], { env: { SLUICE_REDIS_URL: url } });
  const inventory = documentOf(run) as unknown as Inventory;
  return { ...run, inventory };
}

const config = (url: string, more = '') => `import { createLimiter } from ${JSON.stringify(
  new URL('../../packages/core/dist/esm/index.js', `file://${__filename}`).href,
)};
export const store = redisStore({ url: '${url}' }, { deadline: '5s' });
export const limiter = createLimiter({ store, tiers: ${JSON.stringify(tiers)}.map((tier) => ({ ...tier, key: () => 'ada' })) });
${more}`;

describe('sluice keys', () => {
  it('counts keys, bytes and times to live by tier, and finds nothing wrong', async () => {
    await use(storeOf(server.url));
    const run = await withConfig(config(server.url), (file) => count('', '--config', file));
    const { code, stderr, inventory } = run;

    expect({ code, stderr, fit: inventory.fit, unchecked: inventory.unchecked }).toEqual({
      code: 0,
      stderr: '',
      fit: true,
      unchecked: [],
    });
    expect(inventory.kinds).toHaveLength(3);
    expect(inventory.kinds).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ tier: 'user:hour', kind: 'sliding-window', keys: 40, orphan: false, loss: 'counts' }),
        expect.objectContaining({ tier: 'user-log', kind: 'sliding-window-log', keys: 40 }),
        expect.objectContaining({ tier: 'user-log', kind: 'recorded texts', keys: 40, loss: 'texts' }),
      ]),
    );
    for (const { bytes, ttl } of inventory.kinds) {
      // Valkey 8.1 leaves out the key itself, and reports 16 bytes for a small state.
      expect(bytes).toBeGreaterThanOrEqual(40 * 16);
      expect(ttl!.least).toBeGreaterThan(3_500_000);
      expect(ttl!.least <= ttl!.median && ttl!.median <= ttl!.most).toBe(true);
    }
  });

  it('finds keys without expiry, of a wrong type, of other programs, and of shapes that no tier has', async () => {
    await use(storeOf(server.url), 3);
    const [some = ''] = await admin.keys('rl:*:user[:]hour:*');
    const digest = some.split(':')[1]!;
    await admin.persist(some);
    await admin.set('rl:foo', '1', 'EX', 60);
    await admin.hset(`rl:${digest}:user-log:slabc`, 'a', '1');
    await admin.expire(`rl:${digest}:user-log:slabc`, 60);
    const { code, inventory } = await withConfig(config(server.url), (file) => count('', '--config', file));
    const { stdout } = await withConfig(config(server.url), (file) => sluiceAlone(['keys', '--config', file]));

    expect(code).toBe(1);
    expect(inventory).toMatchObject({
      fit: false,
      withoutExpiry: { count: 1, examples: [some] },
      wrongType: { count: 1, examples: [`rl:${digest}:user-log:slabc`] },
      foreign: { count: 1, examples: ['rl:foo'] },
      orphans: { count: 1, examples: [`rl:${digest}:user-log:slabc`] },
      stranded: { count: 0 },
    });
    expect(stdout).toContain(`✗ 1 key without expiry: ${some} (if lost: counts begin again)\n`);
    expect(stdout).toMatch(/^tier or name +kind +shape +keys +bytes +TTL least +median +most +loss costs\n/);
  });

  it('finds nothing wrong with a list of addresses, which never expires', async () => {
    const store = storeOf(server.url);
    const blocked = ipList({ name: 'blocked', store });
    await store.ready();
    await blocked.add('203.0.113.0/24');
    await blocked.close();
    await store.close();

    const { code, inventory } = await count(server.url);
    const listed = inventory.kinds.filter(({ name }) => name === 'blocked');

    expect(await admin.pttl('rl:{blocked}:list')).toBe(-1);
    expect({ code, fit: inventory.fit }).toEqual({ code: 0, fit: true });
    expect(new Map(listed.map(({ kind, loss }) => [kind, loss]))).toEqual(
      new Map([
        ['list', 'addresses'],
        ['changes of a list', 'nothing'],
      ]),
    );
  });

  it('looks for no orphans without a configuration, under the prefix of SLUICE_PREFIX', async () => {
    await use(storeOf(server.url), 3);
    await admin.set('other*:foo', '1', 'EX', 60);
    const env = { SLUICE_REDIS_URL: server.url };
    const own = await sluice(['keys', '--json'], { env });
    const other = await sluice(['keys', '--json'], { env: { ...env, SLUICE_PREFIX: 'other*' } });

    expect(own.code).toBe(0);
    expect(documentOf(own)).not.toHaveProperty('orphans');
    expect(documentOf(other)).toMatchObject({ prefixes: ['other*'], keys: 1, foreign: { count: 1 } });
  });

  it('knows what a client adds to every key', async () => {
    const code = config(server.url).replace(
      /redisStore\(.+\)/,
      `redisStore(new Redis(${server.port}, { keyPrefix: 'app:', enableOfflineQueue: false, maxRetriesPerRequest: 0, socketTimeout: 2_000 }), { deadline: '5s' })`,
    );
    const ioredis = createRequire(join(root, 'packages/cli/package.json')).resolve('ioredis');
    const imports = `import { Redis } from ${JSON.stringify(ioredis)};`;
    const client = new Redis(server.port, {
      keyPrefix: 'app:',
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      socketTimeout: 2_000,
    });
    await use(redisStore(client, { deadline: '5s' }), 3);
    client.disconnect();
    const { inventory, ...run } = await withConfig(`${imports}\n${code}`, (file) => count('', '--config', file));

    expect(inventory).toMatchObject({ fit: true, prefixes: ['app:rl'], unchecked: [] });
    expect(inventory.kinds.map(({ keys, bytes }) => [keys, bytes! > 0])).toEqual([1, 2, 3].map(() => [3, true]));
    expect(run.code).toBe(0);
  });

  it('leaves open what the user may not ask, and names the rights', async () => {
    await use(storeOf(server.url), 3);
    await admin.acl(
      'SETUSER',
      'reader',
      'reset',
      'on',
      '>hunter2',
      '~rl:*',
      '+info',
      '+scan',
      '+ping',
      '+client|setname',
    );
    const url = `redis://reader:hunter2@127.0.0.1:${server.port}`;
    const { code, inventory } = await count(url);
    await admin.acl('SETUSER', 'reader', '-scan');
    const refused = await sluice(['keys'], { env: { SLUICE_REDIS_URL: url } });

    expect(code).toBe(0);
    expect(inventory.unchecked).toEqual(['pttl', 'type', 'memory|usage']);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('ACL SETUSER reader +scan') });
    expect(refused.stderr).not.toContain('hunter2');
  });

  it('looks at every primary of a Cluster', async () => {
    const cluster = await startCluster({ primaries: 2 });
    const [{ url }] = cluster.nodes as [RedisServer];
    await use(redisStore({ cluster: cluster.startupNodes }, { deadline: '5s' }));
    const { code, inventory } = await count(url);
    await cluster.stop();

    expect(code).toBe(0);
    expect(inventory.kinds.map(({ keys }) => keys)).toEqual([40, 40, 40]);
  });

  it('ends with 130 when it is interrupted', async () => {
    await admin.mset(Array.from({ length: 2_000 }, (_, index) => [`rl:${index}`, '1']).flat());
    const main = join(root, 'packages/cli/dist/esm/main.js');
    const child = spawn(process.execPath, [main, 'keys', '--rate', '0.01'], {
      env: environment({ SLUICE_REDIS_URL: server.url }),
    });
    const scans = async () => (await admin.info('commandstats')).includes('cmdstat_scan:');
    await admin.config('RESETSTAT');
    await until(scans);
    child.kill('SIGINT');
    const [code] = (await once(child, 'close')) as [number];

    expect(code).toBe(130);
  });

  it.each([
    ['a Redis that is not there', { SLUICE_REDIS_URL: 'redis://:hunter2@127.0.0.1:1' }, [], 3],
    ['no address', {}, [], 2],
    ['a rate of nothing', { SLUICE_REDIS_URL: 'redis://127.0.0.1:1' }, ['--rate', '0'], 2],
  ])('ends with an error for %s', async (_what, env, args, code) => {
    const run = await sluice(['keys', ...args], { env });

    expect(run).toMatchObject({ code, stdout: '' });
    expect(run.stderr).not.toContain('hunter2');
  });
});

describe('sluice forget --tier', () => {
  /** Not the probes of a store that was slow to answer. */
  const keysOfTiers = async () => (await admin.keys('rl:*')).filter((key) => key.includes(':user'));
  const on = (...args: string[]) =>
    sluice(['forget', ...args, '--rate', '100'], { env: { SLUICE_REDIS_URL: server.url } });

  it('deletes the keys of all clients of the tier with a yes, and of no other tier', async () => {
    await use(storeOf(server.url));
    const refused = await on('--tier', 'user-log');
    const before = await keysOfTiers();
    const agreed = await on('--tier', 'user-log', '--yes');
    const left = await keysOfTiers();
    const again = await on('--tier', 'user-log', '--yes', '--json');

    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('pass --yes') });
    expect(before).toHaveLength(120);
    expect(agreed).toMatchObject({ code: 0, stdout: 'forgot all clients of user-log: 80 keys\n' });
    expect(left).toHaveLength(40);
    expect(left.every((key) => key.includes(':user:hour:'))).toBe(true);
    expect(documentOf(again)).toEqual({ v: 1, tiers: ['user-log'], forgotten: 0 });
  });

  it('keeps the credits of the tier, and reports them', async () => {
    const digest = '0'.repeat(22);
    await admin.hset(`rl:{${digest}}:wallet:baabc`, 'left', 100);
    const run = await on('--tier', 'wallet', '--yes');

    expect(run).toMatchObject({ code: 0, stdout: 'no keys of wallet\n' });
    expect(run.stderr).toContain('1 key stays, which holds units that a client has paid for');
    expect(await admin.dbsize()).toBe(1);
  });

  it('forgets nothing without a client and a tier', async () => {
    expect(await on('--yes')).toMatchObject({ code: 2, stderr: expect.stringContaining('--tier NAME') });
  });
});
