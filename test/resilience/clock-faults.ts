import { startClockedRedis, whyNoClock } from './clock.js';
import type { Fault } from './fault.js';
import { firstPong } from './pong.js';

/** What becomes of the clock of a server; nothing where none can be stepped, which `whyNoClock` tells. */
export const clockFaults: readonly Fault[] =
  whyNoClock() === undefined ? [stepped('+', 3_600), stepped('-', -3_600)] : [];

function stepped(sign: string, seconds: number): Fault {
  return {
    name: `clock stepped by ${sign}1 h`,
    // An hour later, and that is after the one or the other step, counters of an hour are over.
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
