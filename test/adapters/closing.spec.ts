import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../scripts/root.mjs';
import { startRedis } from '../support/redis.js';
import { stacks } from './programs/stacks.mjs';

const program = join(root, 'test', 'adapters', 'programs', 'close.mjs');

/** Requests in flight were answered, and no resource is left. */
const DONE = { statuses: [200, 200, 200], left: [] };

describe('an application that closes', () => {
  // The program runs the adapters, as their users build them.
  const names = Object.keys(stacks);
  const runs = new Map<string, Promise<unknown>>();

  beforeAll(async () => {
    // All at once, because they wait most of the time.
    for (const name of names) runs.set(name, run(name));
    await Promise.allSettled(runs.values());
  }, 120_000);

  it.each(names)('answers requests in flight on %s, and its process ends', async (name) => {
    expect(await runs.get(name)).toEqual({
      'in memory': DONE,
      'on Redis': DONE,
      'without Redis': DONE,
      'when Redis freezes': DONE,
      'when Redis is killed': DONE,
    });
  });
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
