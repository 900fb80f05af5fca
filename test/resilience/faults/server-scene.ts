import { Redis } from 'ioredis';
import { startRedis, type RedisServer } from '../../support/redis.js';
import type { Scene } from './fault.js';
import { firstPong } from './pong.js';

/** An action on a server. */
export type Action = (server: RedisServer) => unknown;

export interface ServerSceneOptions {
  /** More arguments for redis-server. */
  readonly args?: readonly string[];
  /** The user of stores: `name:password`. @default the default user */
  readonly user?: string;
  /** `rediss:` on a server without TLS. @default redis: */
  readonly protocol?: 'redis:' | 'rediss:';
  /** Runs before the first connection. */
  readonly prepare?: Action;
  readonly strike?: Action;
  readonly heal?: Action;
}

/** A scene of one server. */
export async function serverScene(options: ServerSceneOptions): Promise<Scene> {
  const { args = [], user, protocol = 'redis:', prepare, strike, heal } = options;
  const server = await startRedis({ args });
  await prepare?.(server);
  return {
    connection: { url: `${protocol}//${user === undefined ? '' : `${user}@`}127.0.0.1:${server.port}` },
    async strike() {
      await strike?.(server);
    },
    async heal() {
      await heal?.(server);
    },
    pong: () => firstPong(server.port),
    ports: () => [server.port],
    stop: () => server.stop(),
  };
}

/** An action by a command, on a connection of its own. */
export function command(act: (client: Redis) => Promise<unknown>): Action {
  return async ({ port }) => {
    // A failing server never passes the ready check.
    const client = new Redis(port, { enableReadyCheck: false });
    try {
      await act(client);
    } finally {
      client.disconnect();
    }
  };
}
