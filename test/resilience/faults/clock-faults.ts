import { startClockedRedis, whyNoClock } from '../clock/clocked-redis.js';
import type { Fault } from './fault.js';
import { firstPong } from './pong.js';

/** Steps of a server's clock. Empty if no clock can be stepped here: `whyNoClock` returns the reason. */
export const clockFaults: readonly Fault[] =
  whyNoClock() === undefined ? [stepped('+', 3_600), stepped('-', -3_600)] : [];

function stepped(sign: string, seconds: number): Fault {
  return {
    name: `clock stepped by ${sign}1 h`,
    // One of the two steps goes forward by an hour, which ends counters of an hour.
    expects: { degrades: false, breaker: 'stays closed', forgets: true },
    async set() {
      const server = await startClockedRedis();
      return {
        connection: { url: server.url },
        strike: () => server.step(seconds),
        heal: () => server.step(0),
        pong: () => firstPong(server.port),
        ports: () => [server.port],
        stop: () => server.stop(),
      };
    },
  };
}
