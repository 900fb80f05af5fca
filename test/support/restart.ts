import { PortTaken } from './free-port.js';
import type { RedisServer } from './redis.js';
import { until } from './until.js';

/** Starts a killed Redis on its port again. An outgoing connection can hold that port for a moment. */
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
