import { join } from 'node:path';
import { createLimiter } from '@sluice/core';
import { redisStore, type RedisStore } from '@sluice/redis';
import { Redis } from 'ioredis';
import { root } from '../../scripts/root.mjs';
import { startCluster } from '../support/cluster.js';
import { startRedis, type RedisServer } from '../support/redis.js';
import { documentOf, sluice, withConfig, type SluiceOptions } from './sluice.js';

const built = JSON.stringify(join(root, 'packages/core/dist/esm/index.js'));

const FREE = "const free = [{ name: 'free', key: (user) => user, limit: 2, window: '1h' }];";

/** A configuration of a limiter with plans, which it does not list unless `plans` does. */
function configOf(where: object, plans = ''): string {
  return `import { createLimiter } from ${built};
${FREE}
const pro = [{ name: 'pro', key: (user) => user, limit: 100, window: '1h' }];
export const store = redisStore(${JSON.stringify(where)}, { deadline: '5s' });
export const limiter = createLimiter({ store, secret: 'hunter2', tiers: (user) => (user === 'pro' ? pro : free)${plans} });`;
}

/** What the application has done: the plan of `ada` denies it. */
async function deny(store: RedisStore): Promise<void> {
  const plan = [{ name: 'free', key: (user: string) => user, limit: 2, window: '1h' }] as const;
  const limiter = createLimiter({ store, secret: 'hunter2', tiers: () => plan });
  await store.ready();
  for (let count = 0; count < 3; count += 1) await limiter.consume('ada');
  await store.close();
}

describe.each(['one server', 'a Cluster'])('sluice explain with plans, on %s', (kind) => {
  let stop: () => Promise<void>;
  let where: object;
  let admin: Redis | undefined;

  beforeAll(async () => {
    if (kind === 'a Cluster') {
      const cluster = await startCluster({ primaries: 2 });
      where = { cluster: cluster.startupNodes };
      stop = () => cluster.stop();
    } else {
      const server: RedisServer = await startRedis();
      where = { url: server.url };
      admin = new Redis(server.port);
      stop = async () => {
        admin!.disconnect();
        await server.stop();
      };
    }
    await deny(redisStore(where, { deadline: '5s' }));
  });
  afterAll(() => stop());

  const run = (args: readonly string[], plans?: string, options?: SluiceOptions) =>
    withConfig(configOf(where, plans), (file) => sluice([...args, '--config', file], options));

  it('finds a state of a plan that the configuration does not list, and ends with 3', async () => {
    const [explained, other, document] = await Promise.all([
      run(['explain', 'key', 'ada']),
      run(['explain', 'key', 'grace']),
      run(['look', 'key', 'ada', '--json']),
    ]);

    expect(explained.code).toBe(3);
    expect(explained.stdout).toMatch(/^not known: it depends on free\n/);
    expect(explained.stdout).toMatch(/\nfree +\? +\? +\? +[\dhms ]+ +not known: no tier of the configuration\n/);
    expect(explained.stdout).toMatch(/\n {2}key rl:\{[\w-]{22}\}:free:sw[\w-]{3}\n$/);
    expect(explained.stderr).toContain('list its plan in plans of the limiter');
    expect(other).toMatchObject({
      code: 3,
      stdout: 'not known: a function chooses the tiers by request: list its plans in plans of the limiter\n',
    });
    expect(documentOf(document)).toMatchObject({
      allowed: null,
      tiers: [],
      others: [{ tier: 'free', algorithm: 'sliding-window', partitioned: false, expiresIn: expect.any(Number) }],
    });
    expect(JSON.stringify([explained, other, document])).not.toContain('hunter2');
  });

  it('explains the plans that the limiter lists', async () => {
    const listed = ', plans: [free, pro]';
    const [denied, fine] = await Promise.all([
      run(['explain', 'key', 'ada'], listed),
      run(['explain', 'key', 'grace'], listed),
    ]);

    expect(denied).toMatchObject({ code: 1, stdout: expect.stringMatching(/^denied by free; fits in /) });
    expect(fine.code).toBe(0);
    expect(denied.stderr).toBe('');
  });

  it('finds a client by the beginning of its digest, as top prints it', async () => {
    const listed = ', plans: [free, pro]';
    const { stdout } = await run(['explain', 'key', 'ada'], listed);
    const [, digest = ''] = /key rl:\{([\w-]{22})\}/.exec(stdout) ?? [];
    const [part, none, short] = await Promise.all([
      run(['explain', 'digest', digest.slice(0, 8)], listed),
      run(['look', 'digest', digest.toUpperCase()], listed),
      run(['look', 'digest', 'abc'], listed),
    ]);

    expect(part).toMatchObject({ code: 1, stdout: expect.stringMatching(/^denied by free; /) });
    expect(none).toMatchObject({ code: 3, stdout: expect.stringMatching(/^not known: no key in Redis has digest /) });
    expect(short).toMatchObject({ code: 2, stderr: expect.stringContaining('write 8 to 22 characters') });
  });

  it('forgets a state that no tier explains, when it was printed', async () => {
    const before = await run(['forget', 'key', 'ada', '--yes']);
    const after = await run(['explain', 'key', 'ada']);

    expect(before).toMatchObject({ code: 0, stdout: expect.stringMatching(/\nforgot key ada in free\n$/) });
    expect(after.code).toBe(3);
  });
});

describe('sluice explain without the right to search', () => {
  it('ends with 3, and names the right', async () => {
    const server = await startRedis();
    const admin = new Redis(server.port);
    await admin.acl('SETUSER', 'app', 'on', '>password', '~rl:*', '+@all', '-scan');
    const url = `redis://app:password@127.0.0.1:${server.port}`;
    const runs = await Promise.all([
      withConfig(configOf({ url }), (file) => sluice(['explain', 'key', 'ada', '--config', file])),
      withConfig(configOf({ url }, ', plans: [free, pro]'), (file) =>
        sluice(['explain', 'key', 'ada', '--config', file]),
      ),
    ]);
    admin.disconnect();
    await server.stop();

    expect(runs[0]).toMatchObject({ code: 3, stderr: expect.stringContaining('redis-cli ACL SETUSER app +scan') });
    // All tiers are known, and none has a state.
    expect(runs[1]).toMatchObject({ code: 0, stdout: 'nothing stored for key ada in 2 tiers\n' });
  });
});
