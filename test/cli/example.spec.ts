import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { root } from '../../scripts/root.mjs';
import { byApiKey, byIp, createLimiter } from '../../packages/http/src/index.js';
import { redisStore, type RedisStore } from '../../packages/redis/src/index.js';
import { patient } from '../support/patient.js';
import { spawn } from '../support/child.js';
import { environment } from '../support/environment.js';
import { startRedis, type RedisServer } from '../support/redis.js';
import { sluice } from './sluice.js';

describe('the configuration of examples/express-api', () => {
  let server: RedisServer;
  let store: RedisStore;

  beforeAll(async () => {
    server = await startRedis();
    store = redisStore({ url: server.url }, patient);
  });
  afterAll(async () => {
    await store.close();
    await server.stop();
  });

  const cwd = join(root, 'examples', 'express-api');
  const env = () => ({ REDIS_URL: server.url, REDIS_DEADLINE: '5s' });

  it('lets explain find the limits of the example', async () => {
    // As the example does for a client that has sent 20 searches.
    const address = { name: 'address', key: byIp(), algorithm: 'fixed-window', limit: 100, window: '1m' } as const;
    await createLimiter<{ ip: string }>({ store, ...address }).consume({ ip: '203.0.113.7' }, { cost: 100 });
    const run = await sluice(['explain', 'ip', '203.0.113.7', '--timeout', '20s'], { cwd, env: env() });

    expect(run.stdout).toMatch(/^denied by address; fits in [\d.]+ s, at [\d:.]+ UTC by Redis' clock\n/);
    expect(run.stdout).toMatch(/\n {2}fixed window: 100 units, it ends at [\d:.]+ UTC\n/);
    expect(run.code).toBe(1);
  });

  it('lets explain find the plan that denies an account', async () => {
    const key = byApiKey<{ user: string }>({ from: ({ user }) => user });
    const items = createLimiter({ store, name: 'items-free', key, limit: 5, window: '1m' });
    await items.consume({ user: 'ada' }, { cost: 5 });
    // What `npx @sluice/cli` runs, without the second that npx takes: the one program of the package.
    const program = join(cwd, 'node_modules', '.bin', 'sluice');
    const args = ['explain', 'account', 'ada', '--timeout', '20s'];
    const child = spawn(program, args, { cwd, env: environment(env()), stdio: ['ignore', 'pipe', 'ignore'] });
    const [stdout, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
    const { bin } = JSON.parse(readFileSync(join(root, 'packages/cli/package.json'), 'utf8')) as { bin: object };

    expect(Object.keys(bin)).toEqual(['sluice']);
    expect(stdout).toMatch(/^denied by items-free; fits in [\d.]+ s/);
    expect(code).toBe(1);
  });
});

describe('the texts', () => {
  it('run @sluice/cli, because the package sluice is another', () => {
    const folders = ['docs', 'examples', 'packages', '.github', 'scripts', 'monitoring'];
    const files = folders.flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => !/node_modules|dist\//.test(file) && /\.(md|m?[jt]sx?|ya?ml|json)$/.test(file))
        .map((file) => join(folder, file)),
    );
    const wrong = files.filter((file) =>
      /(npx|pnpm dlx|bunx|yarn dlx) (--\S+ )*sluice [a-z-]/.test(readFileSync(join(root, file), 'utf8')),
    );

    expect(wrong).toEqual([]);
  });
});
