import { join } from 'node:path';
import { root } from '../../scripts/root.mjs';
import { createLimiter, byIp, redisStore } from '../../packages/core/src/index.js';
import { patient } from '../../packages/core/src/testing/internal/patient.js';
import { startRedis } from '../support/redis.js';
import { sluice } from './sluice.js';

describe('the configuration of examples/express-api', () => {
  it('lets explain find the limits of the example', async () => {
    const server = await startRedis();
    const store = redisStore({ url: server.url }, patient);
    // As the example does for a client that has sent 20 searches.
    const address = { name: 'address', key: byIp(), algorithm: 'fixed-window', limit: 100, window: '1m' } as const;
    await createLimiter<{ ip: string }>({ store, ...address }).consume({ ip: '203.0.113.7' }, { cost: 100 });
    const cwd = join(root, 'examples', 'express-api');
    const run = await sluice(['explain', 'ip', '203.0.113.7', '--timeout', '20s'], {
      cwd,
      env: { REDIS_URL: server.url, REDIS_DEADLINE: '5s' },
    });
    await store.close();
    await server.stop();

    expect(run.stdout).toMatch(/^denied by address; fits in [\d.]+ s, at [\d:.]+ UTC by Redis' clock\n/);
    expect(run.stdout).toMatch(/\n {2}fixed window: 100 units, it ends at [\d:.]+ UTC\n/);
    expect(run.code).toBe(1);
  });
});
