import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../scripts/root.mjs';
import { runTool } from '../../scripts/run.mjs';
import { startRedis } from '../support/redis.js';
import { adapters } from './adapters.js';

const program = join(root, 'test', 'adapters', 'closing', 'run.mjs');

/** What was asked before it was closed is answered, and nothing is left. */
const DONE = { statuses: [200, 200, 200], left: [] };

describe('An application that is closed', () => {
  const runs = new Map<string, Promise<unknown>>();

  beforeAll(async () => {
    const projects = ['express', 'fastify', 'nestjs'].map((name) => `packages/${name}/tsconfig.esm.json`);
    if ((await runTool('tsc', ['--build', ...projects])) !== 0) throw new Error('it does not compile');
    // All at once: most of the time they wait.
    for (const { name } of adapters) runs.set(name, run(name));
    await Promise.allSettled(runs.values());
  }, 120_000);

  it.each(adapters.map(({ name }) => name))(
    'on %s answers what it was asked, and its process ends, wherever it counts',
    async (name) => {
      expect(await runs.get(name)).toEqual({
        'in memory': DONE,
        'on Redis': DONE,
        'without Redis': DONE,
        'when Redis freezes': DONE,
        'when Redis is killed': DONE,
      });
    },
  );
});

async function run(stack: string): Promise<unknown> {
  const { NODE_OPTIONS: _options, ...env } = process.env;
  const redis = await startRedis();
  try {
    const args = [program, stack, redis.url, String(redis.process.pid)];
    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 60_000, env });
    return JSON.parse(stdout);
  } finally {
    await redis.stop();
  }
}
