import { join } from 'node:path';
import { root } from '../../../scripts/root.mjs';
import { patient } from '../../support/patient.js';
import { closedPort } from '../../support/listener.js';
import { execute, HANG_MS } from '../../support/child.js';
import { startCluster } from '../../support/cluster.js';
import { startRedis } from '../../support/redis.js';

describe('a process that closes its store', () => {
  /** The output of a process that must end by itself. */
  async function run(options: object): Promise<string> {
    const program = `
      import { definePolicy } from '@sluice/core';
      import { redisStore } from '@sluice/redis';
      const policy = definePolicy({ limit: 10, window: '1h' });
      const claim = { tier: 'hour', key: 'rl:{a}:hour:sw000', policy, cost: 1, shadow: false };
      const store = redisStore(${JSON.stringify(options)}, ${JSON.stringify(patient)});
      const answer = await store.consume([claim]).catch((error) => error);
      await store.close();
      console.log(answer.code ?? answer.outcomes[0].remaining);
    `;
    const { stdout } = await execute(process.execPath, ['--input-type=module', '--eval', program], {
      cwd: join(root, 'test'),
      timeout: HANG_MS,
    });
    return stdout.trim();
  }

  it('ends after an answer of Redis', async () => {
    const server = await startRedis();

    const printed = await run({ url: server.url });

    await server.stop();
    expect(printed).toBe('9');
  });

  it('ends after an answer of a Cluster', async () => {
    const cluster = await startCluster();

    const printed = await run({ cluster: cluster.startupNodes });

    await cluster.stop();
    expect(printed).toBe('9');
  });

  it('ends after a failed call', async () => {
    const printed = await run({ url: `redis://127.0.0.1:${await closedPort()}` });

    expect(printed).toBe('STORE_UNAVAILABLE');
  });
});
