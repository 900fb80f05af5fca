import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { root } from '../../../scripts/root.mjs';

/** The frameworks of a fleet, each a file in this folder that serves. */
export const frameworks = ['express', 'fastify', 'nest'] as const;

export interface Server {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts a server in a process of its own, in which a request has a cost. */
export async function startServer(framework: string, redisUrl: string, cost = 1): Promise<Server> {
  const file = join(root, 'test', 'adapters', 'fleet', `${framework}.mjs`);
  // Node's own options are meant for this process.
  const child = fork(file, [redisUrl, String(cost)], { execArgv: [] });
  const port = await Promise.race([portOf(child), ended(child)]);
  if (port === undefined) throw new Error(`${framework}.mjs ended before it served`);
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      const exit = once(child, 'exit');
      child.disconnect();
      await exit;
    },
  };
}

async function portOf(child: ChildProcess): Promise<number> {
  const [port] = (await once(child, 'message')) as [number];
  return port;
}

async function ended(child: ChildProcess): Promise<undefined> {
  await once(child, 'exit');
}
