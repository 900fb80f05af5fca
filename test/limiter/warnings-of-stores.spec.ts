import { redisStore } from '@sluice/redis';
import { join } from 'node:path';
import { root } from '../../scripts/root.mjs';
import { execute } from '../support/child.js';
import { withRedis } from '../support/redis-store.js';
import { warningCatcher } from '../support/warnings.js';

describe('A limiter in memory in node:cluster', () => {
  it('warns once in each worker that workers count alone, and not in the primary', async () => {
    const program = join(root, 'test', 'limiter', 'programs', 'cluster-worker.mjs');
    const { stdout } = await execute(process.execPath, ['--no-warnings', program], { cwd: join(root, 'test') });
    const lines = stdout.trim().split('\n');

    expect(lines).toHaveLength(2);
    for (const line of lines) expect(line).toMatch(/^worker SLUICE_MEMORY_IN_CLUSTER .* redisStore\({ url }\)/);
  });
});

describe('Stores that a process leaves connected to one Redis', () => {
  const redis = withRedis();
  const warnings = warningCatcher();
  const codes = () => warnings().map(([code]) => code);

  it('are named once there are ten, without the URL', async () => {
    const stores = Array.from({ length: 9 }, () => redisStore({ url: redis.server.url }));
    expect(codes()).not.toContain('SLUICE_MANY_REDIS_STORES');
    stores.push(redisStore({ url: redis.server.url }));
    const [text] = warnings().flatMap(([code, each]) => (code === 'SLUICE_MANY_REDIS_STORES' ? [each] : []));
    await Promise.all(stores.map((store) => store.close()));

    expect(text).toContain('await store.close()');
    expect(text).not.toContain(String(redis.server.port));
  });

  it('are not counted after they are closed', async () => {
    for (let count = 0; count < 20; count += 1) await redisStore({ url: redis.server.url }).close();

    expect(codes()).not.toContain('SLUICE_MANY_REDIS_STORES');
  });
});
