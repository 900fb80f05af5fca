import { join } from 'node:path';
import { createLimiter } from '@sluice/core';
import { redisStore } from '@sluice/redis';
import { root } from '../../scripts/root.mjs';
import { patient } from '../support/patient.js';
import { withRedis } from '../support/redis-store.js';
import { documentOf, sluice, withConfig } from './sluice.js';

interface Act {
  readonly operation: string;
  readonly by: string;
  readonly reason?: string;
  readonly detail?: object;
}

describe('sluice history', () => {
  const redis = withRedis();
  const run = (...args: string[]) => sluice(args, { env: { SLUICE_REDIS_URL: redis.server.url } });
  const actsIn = async (...args: string[]) =>
    documentOf(await run('history', ...args, '--json'))['acts'] as readonly Act[];

  it('prints who has forgotten a client and who has changed its limit, of all or of one client', async () => {
    const store = redisStore({ url: redis.server.url }, patient);
    const limiter = createLimiter({ store, name: 'hour', key: (tenant: string) => tenant, limit: 5, window: '1h' });
    for (const tenant of ['acme', 'apex', 'zeta']) await limiter.consume(tenant);
    const built = JSON.stringify(join(root, 'packages/core/dist/esm/index.js'));
    const code = `import { createLimiter } from ${built};
export const store = redisStore({ url: ${JSON.stringify(redis.server.url)} }, { deadline: '5s' });
export const limiter = createLimiter({ store, name: 'hour', key: (tenant) => tenant, limit: 5, window: '1h' });`;

    // A process imports a configuration once, and its store closes with the command.
    const configured = (...args: string[]) => withConfig(code, (file) => run(...args, '--config', file));
    const author = ['--by', 'ada', '--reason', 'ticket 4711', '--yes'];
    await configured('policies', 'override', 'hour', 'key', 'acme', '--limit', '20', '--first', ...author);
    await configured('policies', 'remove', 'hour', 'key', 'acme', '--first', '--by', 'grace', '--yes');
    await configured('forget', 'key', 'acme', ...author);
    await configured('forget', 'key', 'apex', ...author);
    await configured('forget', '--tier', 'hour', ...author);
    const ofClient = documentOf(await configured('history', 'key', 'acme', '--json'))['acts'] as readonly Act[];
    const ofGrace = await actsIn('--by', 'grace');
    const table = await run('history', '--since', '1h');
    const none = await run('history', '--since', '2999-01-31');

    expect(ofClient.map(({ operation, by, reason }) => [operation, by, reason])).toEqual([
      ['forget', 'ada', 'ticket 4711'],
      ['end-override', 'grace', 'removed'],
      ['override', 'ada', 'ticket 4711'],
    ]);
    expect(ofGrace).toEqual([ofClient[1]]);
    expect((await actsIn()).map(({ operation, detail }) => [operation, detail])).toEqual([
      ['forget', { tier: 'hour', keys: 1 }],
      ['forget', undefined],
      ['forget', undefined],
      ['end-override', undefined],
      ['override', { limit: 20 }],
    ]);
    expect(table).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/ada +override +hour +[\w-]{8} +limit 20/),
    });
    expect(none).toMatchObject({ code: 1, stdout: 'there are no such acts in Redis\n' });
    expect(table.stdout).not.toMatch(/acme|apex|zeta/);
    await limiter.close();
    await store.close();
  });
});
