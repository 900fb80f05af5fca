import { wireTo, type Wire } from '../support/wire.js';
import { startRedis } from '../support/redis.js';
import type { Fault, Scene } from './fault.js';
import { firstPong } from './pong.js';

/** What can become of the way to a server. */
export const wireFaults: readonly Fault[] = [
  {
    name: 'slow by 200 ms',
    expects: { breaker: 'opens' },
    set: () => over({ strike: (wire) => wire.slow(200), heal: (wire) => wire.slow(0) }),
  },
  {
    name: 'black hole',
    expects: { breaker: 'opens' },
    set: () => over({ strike: (wire) => wire.blackHole(), heal: (wire) => wire.thaw() }),
  },
  {
    // New connections are sound from the beginning: it lasts until the client finds out that it needs one.
    name: 'half-open',
    lasts: 100,
    expects: { breaker: 'opens' },
    set: () => over({ strike: (wire) => wire.freeze() }),
  },
  {
    name: 'reply lost after execution',
    set: () => over({ strike: (wire) => again(() => loseReplies(wire)) }),
  },
  {
    name: 'reset in a reply',
    set: () => over({ strike: (wire) => again(() => wire.tearReplies()) }),
  },
];

interface Deeds {
  /** Returns what ends it, where something has to. */
  readonly strike: (wire: Wire) => (() => void) | void;
  readonly heal?: (wire: Wire) => void;
}

/** A scene of a server at the other end of a wire. */
async function over({ strike, heal }: Deeds): Promise<Scene> {
  const server = await startRedis();
  const wire = await wireTo(server);
  let end: (() => void) | void;
  return {
    connection: { url: wire.url },
    strike() {
      end = strike(wire);
    },
    heal() {
      end?.();
      heal?.(wire);
    },
    pong: () => firstPong(wire.port),
    ports: () => [server.port],
    async stop() {
      end?.();
      await wire.close();
      await server.stop();
    },
  };
}

/** Breaks whatever has been connected anew, until it is told to end. */
function again(act: () => void): () => void {
  act();
  const timer = setInterval(act, 150);
  return () => clearInterval(timer);
}

/** Commands arrive and are executed, and before the deadline has passed the connection is gone. */
function loseReplies(wire: Wire): void {
  wire.swallowReplies();
  setTimeout(() => wire.cut(), 20);
}
