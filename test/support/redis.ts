import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onFreePort } from './free-port.js';
import { startRedisProcess } from './redis-process.js';

export interface RedisOptions {
  /** Further arguments for redis-server, which take precedence. */
  args?: readonly string[];
}

export interface RedisServer {
  readonly port: number;
  readonly url: string;
  /** Its Unix socket, named as in ioredis. */
  readonly path: string;
  /** The current process: another one after `restart`. */
  readonly process: ChildProcess;
  /** Kills the server, and starts an empty one on the same port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a real Redis on its own port, and resolves when it replies. */
export async function startRedis({ args = [] }: RedisOptions = {}): Promise<RedisServer> {
  const directory = await mkdtemp(join(tmpdir(), 'sluice-redis-'));
  const start = (port: number) => startRedisProcess({ port, directory, args });
  const remove = () => rm(directory, { recursive: true, force: true });
  let current = await onFreePort(start).catch(async (error: unknown) => {
    await remove();
    throw error;
  });

  const { port, path } = current;
  return {
    port,
    path,
    url: `redis://127.0.0.1:${port}`,
    get process() {
      return current.child;
    },
    async restart() {
      await current.end();
      current = await start(port);
    },
    async stop() {
      await current.end();
      await remove();
    },
  };
}
