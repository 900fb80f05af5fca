import { join } from 'node:path';
import { root } from '../../scripts/root.mjs';
import { execute, HANG_MS } from '../support/child.js';
import { startRedis } from '../support/redis.js';
import { stacks } from './programs/stacks.mjs';

const program = join(root, 'test', 'adapters', 'programs', 'close.mjs');

/** Requests in flight were answered, and no resource is left. */
const DONE = { statuses: [200, 200, 200], left: [] };

/** What a process runs one after the other: stacks that load the same framework. */
const PROCESSES = [
  ['Express 5', 'Express 4'],
  ['Fastify 5'],
  ['Hono on node-server'],
  ['Nest on Express', 'Nest on Fastify'],
] as const;

describe('an application that closes', () => {
  // The program runs the adapters, as their users build them.
  const runs = new Map<string, Promise<Readonly<Record<string, unknown>>>>();

  beforeAll(async () => {
    // All at once, because they wait most of the time.
    for (const names of PROCESSES) for (const [name, ran] of runsOf(names)) runs.set(name, ran);
    await Promise.allSettled(runs.values());
  });

  it.each(Object.keys(stacks))('answers requests in flight on %s, and its process ends', async (name) => {
    expect((await runs.get(name))![name]).toEqual({
      'in memory': DONE,
      'on Redis': DONE,
      'without Redis': DONE,
      'when Redis freezes': DONE,
      'when Redis is killed': DONE,
    });
  });
});

function runsOf(names: readonly string[]) {
  const ran = run(names);
  return names.map((name) => [name, ran] as const);
}

async function run(names: readonly string[]): Promise<Readonly<Record<string, unknown>>> {
  const { NODE_OPTIONS: _options, ...env } = process.env;
  const servers = await Promise.all(names.map(() => startRedis()));
  try {
    const of = servers.map((redis, index) => [names[index]!, redis.url, String(redis.process.pid)]);
    const { stdout } = await execute(process.execPath, [program, ...of.flat()], { timeout: HANG_MS, env });
    return JSON.parse(stdout) as Readonly<Record<string, unknown>>;
  } finally {
    await Promise.all(servers.map((redis) => redis.stop()));
  }
}
