import { PortTaken } from '../support/free-port.js';
import type { RedisServer } from '../support/redis.js';
import { until } from './until.js';

/** Starts a Redis that was killed, on its port: while nobody listened there, a connection may have taken it for its end. */
export function restart(server: RedisServer): Promise<void> {
  return until(async () => {
    try {
      await server.restart();
      return true;
    } catch (error) {
      if (error instanceof PortTaken) return false;
      throw error;
    }
  });
}
