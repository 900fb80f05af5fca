import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onFreePort } from './free-port.js';
import { startRedisProcess } from './redis-process.js';

export interface RedisOptions {
  /** More arguments for redis-server; they win over its own. */
  args?: readonly string[];
}

export interface RedisServer {
  readonly port: number;
  readonly url: string;
  /** Its Unix socket, by the name that ioredis has for it. */
  readonly path: string;
  /** The server of now: another one after `restart`. */
  readonly process: ChildProcess;
  /** Kills the server and starts it again on the same port, with nothing in it. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a real Redis on a port of its own, and resolves when it answers. */
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
