import { Redis } from 'ioredis';
import { startRedis, type RedisServer } from '../support/redis.js';
import type { Scene } from './fault.js';
import { firstPong } from './pong.js';

/** Done to a server. */
export type Deed = (server: RedisServer) => unknown;

export interface ServerSceneOptions {
  /** More arguments for redis-server. */
  readonly args?: readonly string[];
  /** Who stores connect as: `name:password`. @default the user without a password */
  readonly user?: string;
  /** rediss: where nobody speaks TLS. @default redis: */
  readonly protocol?: 'redis:' | 'rediss:';
  /** Before anything connects. */
  readonly prepare?: Deed;
  readonly strike?: Deed;
  readonly heal?: Deed;
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

/** A deed that is done by asking for it, past the store. */
export function ask(act: (client: Redis) => Promise<unknown>): Deed {
  return async ({ port }) => {
    // A server in trouble would not be found ready, and is asked all the same.
    const client = new Redis(port, { enableReadyCheck: false });
    try {
      await act(client);
    } finally {
      client.disconnect();
    }
  };
}
