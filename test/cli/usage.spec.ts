import { join } from 'node:path';
import * as core from '@sluice/core';
import { redisStore, type RedisStore } from '@sluice/redis';
import { root } from '../../scripts/root.mjs';
import { withRedis } from '../support/redis-store.js';
import { documentOf, sluice, withConfig } from './sluice.js';
import { usage } from '@sluice/quotas';

const DEFINE = `(core, store) => core.createLimiter({ store, tiers: [
  { name: 'month', key: ({ user }) => user, algorithm: 'fixed-window', limit: 1_000, period: 'month', usage: usage() },
  { name: 'minute', key: ({ user }) => user, limit: 100, window: '1m' },
] })`;

describe('sluice usage', () => {
  const redis = withRedis();
  let store: RedisStore;

  beforeAll(async () => {
    store = redisStore({ url: redis.server.url }, { deadline: '5s' });
    const key = ({ user }: { user: string }) => user;
    const month = {
      name: 'month',
      key,
      algorithm: 'fixed-window',
      limit: 1_000,
      period: 'month',
      usage: usage(),
    } as const;
    const limiter = core.createLimiter({ store, tiers: [month, { name: 'minute', key, limit: 100, window: '1m' }] });
    await limiter.consume({ user: 'ada' }, { cost: 7 });
  });

  afterAll(() => store.close());

  function run(args: readonly string[], define = DEFINE) {
    const built = JSON.stringify(join(root, 'packages/core/dist/esm/index.js'));
    const config = `import * as core from ${built};
export const store = redisStore({ url: ${JSON.stringify(redis.server.url)} }, { deadline: '5s' });
export const limiters = (${define})(core, store);`;
    return withConfig(config, (file) => sluice(['usage', ...args, '--config', file]));
  }

  it('prints the units of each day, and their sum', async () => {
    const { stdout, code } = await run(['key', 'ada']);

    const today = new Date().toISOString().slice(0, 8);
    const lines = stdout.trimEnd().split('\n');
    expect(code).toBe(0);
    expect(lines[0]).toBe('tier   day (UTC)   units');
    expect(lines[1]).toMatch(new RegExp(`^month  ${today}\\d\\d      7$`));
    expect(lines[2]).toBe('month  sum             7');
  });

  it('prints hours as JSON', async () => {
    const answer = await run(['key', 'ada', '--json']);

    const hour = { from: expect.stringMatching(/T\d\d:00:00.000Z$/), units: 7 };
    expect(documentOf(answer)).toEqual({ v: 1, tiers: [{ tier: 'month', units: 7, hours: [hour] }] });
  });

  it('says that a client has used nothing, and that no tier counts', async () => {
    const nothing = await run(['key', 'bob']);
    const none = await run(['key', 'ada', '--tier', 'minute']);

    expect([nothing.code, nothing.stdout]).toEqual([0, 'key bob has used nothing of a tier with usage\n']);
    expect(none.code).not.toBe(0);
    expect(none.stderr).toContain('the configuration has no such tier with usage');
  });

  it('refuses 90 days', async () => {
    const { code, stderr } = await run(['key', 'ada', '--days', '90']);

    expect(code).not.toBe(0);
    expect(stderr).toContain('Write a whole number from 1 to 62.');
  });
});
