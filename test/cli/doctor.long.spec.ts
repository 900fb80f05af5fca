import { createServer, connect, type Server } from 'node:net';
import { once } from 'node:events';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { root } from '../../scripts/root.mjs';
import { startClockedRedis } from '../resilience/clock/clocked-redis.js';
import { acl, userOf } from '../security/redis/acl.js';
import { startCluster } from '../support/cluster.js';
import { startRedis, type RedisServer } from '../support/redis.js';
import { until } from '../support/until.js';
import { startSentinel } from '../support/sentinel.js';
import { documentOf, sluice, sluiceAlone, withConfig } from './sluice.js';

interface Finding {
  readonly check: string;
  readonly level: string;
  readonly text: string;
  readonly remedy?: string;
  readonly server?: string;
}

async function examine(url: string, ...args: string[]) {
  const run = await sluice(['doctor', '--json', ...args], { env: { SLUICE_REDIS_URL: url } });
  const findings = run.stdout === '' ? [] : (documentOf(run)['findings'] as Finding[]);
  return { ...run, findings, of: (check: string) => findings.filter((each) => each.check === check) };
}

/** With a deadline that a busy machine keeps. */
function examinePatiently(url: string) {
  const config = `export const store = redisStore({ url: '${url}' }, { deadline: '5s' });`;
  return withConfig(config, (file) => examine('', '--config', file));
}

let server: RedisServer;
let admin: Redis;

beforeEach(async () => {
  server = await startRedis({ args: ['--maxmemory', '100mb', '--repl-diskless-sync', 'no'] });
  admin = new Redis(server.port);
});

afterEach(async () => {
  admin.disconnect();
  await server.stop();
});

describe('sluice doctor', () => {
  it('finds a fit server fit, and says what it has seen', async () => {
    const config = `export const store = redisStore({ url: '${server.url}' }, { deadline: '5s' });`;
    const { code, stdout, stderr } = await withConfig(config, (file) => sluiceAlone(['doctor', '--config', file]));

    expect(stdout).toMatch(
      new RegExp(`^✓ (redis|valkey) [\\d.]+, primary, 127\\.0\\.0\\.1:${server.port}\n✓ maxmemory-policy noeviction\n`),
    );
    expect(stdout).toMatch(/✓ rights of default: all 37 commands on rl:\*\n✓ round trip p50 .+ deadline 5000 ms\n/);
    expect(stdout).toMatch(/\n0 problems, 0 warnings\n$/);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it('finds eviction, evicted keys, full memory and refused connections, each with a remedy', async () => {
    await admin.config('SET', 'maxmemory-policy', 'allkeys-lru', 'maxmemory', '3mb', 'maxclients', '5');
    for (let count = 0; count < 40; count += 1) await admin.set(`filler${count}`, 'x'.repeat(50_000));
    const others = Array.from({ length: 8 }, () => connect(server.port));
    await Promise.all(
      others.map((each) =>
        once(
          each.on('error', () => undefined),
          'connect',
        ),
      ),
    );
    await until(async () => /rejected_connections:[1-9]/.test(await admin.info('stats')));
    for (const each of others) each.destroy();

    const { code, of } = await examine(server.url);

    expect(code).toBe(1);
    expect(of('eviction-policy')).toMatchObject([
      { level: 'problem', remedy: 'redis-cli CONFIG SET maxmemory-policy noeviction' },
    ]);
    expect(of('evictions')).toMatchObject([
      { level: 'problem', text: expect.stringMatching(/^\d+ keys were evicted/) },
    ]);
    expect(of('memory')[0]!.level).toMatch(/^(warning|problem)$/);
    expect(of('connections')).toMatchObject([
      { level: 'warning', text: expect.stringMatching(/^\d+ connections were refused/) },
    ]);
  });

  it('warns of a server without maxmemory, whatever its policy is', async () => {
    await admin.config('SET', 'maxmemory', '0', 'maxmemory-policy', 'allkeys-lfu');

    const { code, of } = await examinePatiently(server.url);

    expect(code).toBe(0);
    expect([of('memory'), of('eviction-policy')]).toMatchObject([[{ level: 'warning' }], [{ level: 'warning' }]]);
  });

  it('finds the rights that a user lacks, and grants them by its remedy', async () => {
    const wrong = userOf(acl.server).filter((rule) => !['+incr', '+unlink'].includes(rule));
    await admin.acl('SETUSER', ...(wrong.slice(1) as [string]));
    const before = await examine(server.url, '--user', 'ratelimit');
    const [{ level, text, remedy = '' }] = before.of('rights') as [Finding];
    await admin.call('ACL', ...remedy.split(' ').slice(2));
    const after = await examine(server.url, '--user', 'ratelimit');

    expect({ level, text }).toEqual({ level: 'problem', text: 'ratelimit may not run incr, unlink' });
    expect(after.of('rights')).toMatchObject([{ level: 'fine' }]);
  });

  it('finds keys that a user may not use', async () => {
    await admin.acl('SETUSER', ...(userOf(acl.server.replace('~rl:*', '~other:*')).slice(1) as [string]));

    const { of } = await examine(server.url, '--user', 'ratelimit');

    expect(of('rights')).toMatchObject([{ level: 'problem', remedy: "redis-cli ACL SETUSER ratelimit '~rl:*'" }]);
  });

  it('leaves open what the user of a limiter may not see, and names the right', async () => {
    await admin.acl('SETUSER', ...(userOf(acl.server).slice(1) as [string]), '+ping');

    const { code, findings, stdout } = await examinePatiently(`redis://ratelimit:password@127.0.0.1:${server.port}`);
    const open = findings.filter(({ level }) => level === 'unchecked');

    expect(code).toBe(0);
    expect(open.map(({ check }) => check)).toEqual(['rights', 'scripts', 'slow-log', 'keys']);
    expect(open.map(({ remedy }) => remedy)).toEqual(
      ['acl|whoami', 'script|exists', 'slowlog|get', 'scan'].map(
        (right) => `redis-cli ACL SETUSER ratelimit ${/\|/.test(right) ? `'+${right}'` : `+${right}`}`,
      ),
    );
    expect(stdout).not.toContain('password');
  });

  it('finds keys that never expire, of a wrong type, and of other programs, and gives each a remedy that loses nothing', async () => {
    await admin.set('rl:{h_tHdlBEhrTvc25VMm8vk-}:api:fw000', '1');
    await admin.set('rl:{h_tHdlBEhrTvc25VMm8vk-}:wrong:baabc', '1');
    await admin.set('rl:other', '1');

    const { code, of } = await examine(server.url);

    expect(code).toBe(1);
    expect(of('keys')).toMatchObject([
      { level: 'fine', text: '2 keys in 2 tiers, about 1mb' },
      {
        level: 'problem',
        text: '1 key without expiry',
        remedy: "sluice keys, then redis-cli EXPIRE 'rl:{h_tHdlBEhrTvc25VMm8vk-}:api:fw000' 31622400",
      },
      {
        level: 'problem',
        text: '1 key of a wrong type',
        remedy:
          "sluice keys, then redis-cli RENAME 'rl:{h_tHdlBEhrTvc25VMm8vk-}:wrong:baabc' 'moved:rl:{h_tHdlBEhrTvc25VMm8vk-}:wrong:baabc'",
      },
      { level: 'warning', text: '1 key of no limiter: rl:other' },
    ]);
  });

  it('finds a replica, and names its primary', async () => {
    await admin.replicaof('127.0.0.1', 1);

    const { code, of } = await examine(server.url);

    expect(code).toBe(1);
    expect(of('role')).toMatchObject([{ level: 'problem', remedy: 'connect to 127.0.0.1:1' }]);
  });

  it('finds commands in the slow log that made limiters wait', async () => {
    // Counts, because since Redis 7.2 the time of the server stands still in a script.
    await admin.eval('for _ = 1, 3e7 do end', 0);

    const { of } = await examine(server.url);

    expect(of('slow-log')).toMatchObject([
      {
        level: 'warning',
        text: expect.stringMatching(/^\d+ commands? took .+, 0 of them of limiters; the slowest, EVAL/),
      },
    ]);
  });

  it('finds an old server, and one that is too far away for its deadline', async () => {
    const proxy = await startProxy(server.port, {
      delayMs: 3,
      edit: (reply) => reply.replaceAll(/_version:\d/g, '_version:6'),
    });
    const { code, of } = await withConfig(
      `export const store = redisStore({ url: 'redis://127.0.0.1:${proxy.port}' }, { deadline: '2ms' });`,
      (config) => examine('', '--config', config),
    );
    await proxy.stop();

    expect(code).toBe(1);
    expect(of('version')).toMatchObject([
      { level: 'problem', text: expect.stringMatching(/^(redis|valkey) 6.+ is needed$/) },
    ]);
    expect(of('round-trip')[0]!.level).toMatch(/^(warning|problem)$/);
    expect(of('script')).toMatchObject([
      { level: 'problem', text: expect.stringMatching(/^\d+ of 200 checks got no/) },
    ]);
  });

  it('warns of settings of the client that the configuration has', async () => {
    const { of } = await withConfig(
      `import { createRequire } from 'node:module';
       const { Redis } = createRequire(${JSON.stringify(join(root, 'packages/redis/package.json'))})('ioredis');
       export const store = redisStore(new Redis(${server.port}));`,
      (config) => examine('', '--config', config),
    );

    expect(of('SLUICE_REDIS_CLIENT_SETTINGS')).toMatchObject([
      { level: 'warning', remedy: 'packages/core/docs/reference/warnings.md#sluice_redis_client_settings' },
    ]);
  });

  it('warns of a password that crosses a network in clear text', async () => {
    const outside = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
    const { address } = outside.find(({ internal, family }) => !internal && family === 'IPv4') ?? {
      address: undefined,
    };
    await admin.config('SET', 'bind', `127.0.0.1 ${address ?? ''}`.trim(), 'requirepass', 'hunter2');

    const { findings, stdout } = await examine(`redis://:hunter2@${address ?? '127.0.0.1'}:${server.port}`);

    // A machine without a network has no address but that of itself.
    const expected = address === undefined ? [] : ['use rediss://'];
    expect(findings.flatMap(({ check, remedy }) => (check === 'tls' ? [remedy] : []))).toEqual(expected);
    expect(stdout).not.toContain('hunter2');
  });

  it('compares the clocks of a server and of its replica', async () => {
    const ahead = await startClockedRedis();
    await ahead.step(5);
    const follower = new Redis(ahead.port);
    await follower.replicaof('127.0.0.1', server.port);
    while (!(await follower.info('replication')).includes('master_link_status:up')) await delay(20);

    const [ofPrimary, ofReplica] = [await examine(server.url), await examine(ahead.url)];
    follower.disconnect();
    await ahead.stop();

    expect(ofPrimary.of('clock')).toMatchObject([{ level: 'fine' }]);
    expect(ofPrimary.of('replica-clock')).toMatchObject([
      {
        level: 'warning',
        text: expect.stringMatching(/ is (499\d|5\d{3})\.\d ms ahead .+: a failover moves every window$/),
      },
    ]);
    // The clock is read to half a round trip.
    expect(ofReplica.of('clock')).toMatchObject([
      { level: 'warning', text: expect.stringMatching(/^clock (499\d|5\d{3})\.\d ms ahead/) },
    ]);
  });

  it('finds Sentinels that cannot agree, and a group without a replica', async () => {
    const sentinel = await startSentinel(server, { quorum: 2 });

    const { code, of } = await examine(`redis-sentinel://${sentinel.host}:${sentinel.port}/0#${sentinel.group.name}`);
    await sentinel.stop();

    expect(code).toBe(1);
    expect(of('sentinel')).toMatchObject([{ level: 'problem', text: expect.stringContaining('NOQUORUM') }]);
    expect(of('replicas')).toMatchObject([{ level: 'warning' }]);
  });

  it('examines each primary of a Cluster, and finds slots without one', async () => {
    const cluster = await startCluster({ primaries: 2 });
    const [first, second] = cluster.nodes as [RedisServer, RedisServer];
    const nodes = [new Redis(first.port), new Redis(second.port)] as const;
    const keys = Array.from({ length: 1_100 }, (_, index) => `rl:{a}:${index}`);
    const owner = (await nodes[0].cluster('KEYSLOT', 'a')) < 8_192 ? nodes[0] : nodes[1];
    await owner.mset(...keys.flatMap((key) => [key, '1']));
    const whole = await examine(first.url);
    await nodes[1].cluster('DELSLOTS', 16_000);
    await nodes[1].config('SET', 'cluster-require-full-coverage', 'no');
    const broken = await examine(`${second.url},${first.url}`);
    for (const node of nodes) node.disconnect();
    first.process.kill('SIGKILL');
    const half = await examine(second.url, '--timeout', '1s');
    await cluster.stop();

    expect(new Set(whole.of('version').map(({ server: name }) => name))).toEqual(
      new Set([first, second].map(({ port }) => `127.0.0.1:${port}`)),
    );
    expect(whole.of('slots')).toMatchObject([{ level: 'fine' }]);
    expect(whole.of('full-coverage')).toMatchObject([{ level: 'warning' }]);
    expect(whole.of('replicas')).toMatchObject([{ level: 'warning' }]);
    expect(whole.of('skew')).toMatchObject([{ level: 'warning' }]);
    expect(broken.of('slots')).toMatchObject([{ level: 'problem', text: '1 of 16384 slots are not served' }]);
    expect(half.of('primaries')).toMatchObject([
      { level: 'problem', text: expect.stringMatching(/ does not answer$/) },
    ]);
    expect([broken.code, half.code]).toEqual([1, 1]);
  });

  it('ends with an error for a configuration whose Redis is not there', async () => {
    const config = "export const store = redisStore({ url: 'redis://:hunter2@127.0.0.1:1' });";
    const { code, stderr } = await withConfig(config, (file) => examine('', '--config', file, '--timeout', '300ms'));

    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: 'error: Redis cannot be reached: connect ECONNREFUSED 127.0.0.1:1\n',
    });
  });

  it.each([
    ['export const limit = 5;', /must export the store of the limiters, such as\n {2}import/],
    ['export const store = { url: 1 };', /must export the store of the limiters/],
    ["throw new Error('no database');", /cannot be imported: no database\n$/],
    ["export const store = redisStore({ host: 'a' });", /cannot be imported: redisStore: host is not an option/],
    ['throw null;', /cannot be imported: null\n$/],
    ["throw new Error('\\n\\n  two lines\\n  at x (y:1)');", /cannot be imported: two lines\n$/],
    ["await Promise.reject('gone');", /cannot be imported: gone\n$/],
    ["export default { get store() { throw new Error('no store'); } };", /cannot be imported: no store\n$/],
    ['export const store = ;', /cannot be imported: Unexpected token ';'\n$/],
  ])('says what a configuration lacks: %s', async (config, message) => {
    const { code, stderr } = await withConfig(config, (file) => examine('', '--config', file));

    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });

  it.each([
    [
      'waits for ever',
      'await new Promise(() => setInterval(() => {}, 1_000));',
      'its import has not ended within 300 ms',
    ],
    ['waits for nothing', 'await new Promise(() => {});', 'its import has not ended within 300 ms'],
    [
      'fails in a timer',
      "setTimeout(() => { throw new Error('late'); }, 1); await new Promise(() => setInterval(() => {}, 1_000));",
      'its code has failed: late',
    ],
    [
      'rejects a promise that nobody waits for',
      "Promise.reject(new Error('late')); await new Promise(() => setInterval(() => {}, 1_000));",
      'its code has failed: late',
    ],
  ])('says in one sentence that a configuration %s, and ends', async (_what, config, message) => {
    const { code, stdout, stderr } = await withConfig(config, (file) =>
      sluiceAlone(['doctor', '--config', file, '--timeout', '300ms']),
    );

    expect({ code, stdout, stderr: stderr.replace(/^error: \S+sluice\.config\.mjs: /, '') }).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(new RegExp(`^${message}[^\\n]*\\n$`)) as string,
    });
  });

  it.each([
    [
      'that is not there',
      'redis://127.0.0.1:1',
      3,
      /^error: Redis cannot be reached: connect ECONNREFUSED 127.0.0.1:1\n$/,
    ],
    [
      'with another password',
      'redis://:hunter2@127.0.0.1:PORT',
      3,
      /^error: Redis cannot be reached: WRONGPASS [^\n]+\n$/,
    ],
    [
      'of an unknown form',
      'http://:hunter2@127.0.0.1:PORT',
      2,
      /^error: SLUICE_REDIS_URL must have one of these forms:\n/,
    ],
    [
      'that is not named',
      '',
      2,
      /^error: set SLUICE_REDIS_URL, or write a sluice\.config\.js that exports the store\n$/,
    ],
  ])('ends with an error for a server %s, and never shows a password', async (_what, url, expected, message) => {
    await admin.config('SET', 'requirepass', 'another');
    const { code, stderr, stdout } = await examine(url.replace('PORT', String(server.port)), '--timeout', '2s');

    expect({ code, stdout }).toEqual({ code: expected, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain('hunter2');
  });
});

interface ProxyOptions {
  /** Of each reply. */
  readonly delayMs: number;
  readonly edit: (reply: string) => string;
}

/** A server that is further away, and older. */
async function startProxy(port: number, { delayMs, edit }: ProxyOptions) {
  const proxy: Server = createServer((socket) => {
    const target = connect(port);
    const slow = new Transform({
      transform: (chunk: Buffer, _encoding, done) =>
        void setTimeout(() => done(null, Buffer.from(edit(chunk.toString('latin1')), 'latin1')), delayMs),
    });
    socket.pipe(target).pipe(slow).pipe(socket);
    for (const each of [socket, target]) each.on('error', () => each.destroy());
    socket.on('close', () => target.destroy());
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port: own } = proxy.address() as { port: number };
  return { port: own, stop: () => new Promise((resolve) => proxy.close(resolve)) };
}
