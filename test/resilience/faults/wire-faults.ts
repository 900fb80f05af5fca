import { wireTo, type Wire } from '../../support/wire.js';
import { startRedis } from '../../support/redis.js';
import type { Fault, Scene } from './fault.js';
import { firstPong } from './pong.js';

/** Faults of the connection to a server. */
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
    // New connections work at once: the fault lasts until the client opens one.
    name: 'half-open',
    lasts: 100,
    expects: { breaker: 'opens' },
    set: () => over({ strike: (wire) => wire.freeze() }),
  },
  {
    name: 'reply lost after execution',
    set: () => over({ strike: (wire) => repeat(() => loseReplies(wire)) }),
  },
  {
    name: 'reset in a reply',
    set: () => over({ strike: (wire) => repeat(() => wire.tearReplies()) }),
  },
];

interface Actions {
  /** Returns a function that ends it, if needed. */
  readonly strike: (wire: Wire) => (() => void) | void;
  readonly heal?: (wire: Wire) => void;
}

/** A scene with a server behind a wire. */
async function over({ strike, heal }: Actions): Promise<Scene> {
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

/** Breaks every new connection, until the returned function ends it. */
function repeat(act: () => void): () => void {
  act();
  const timer = setInterval(act, 150);
  return () => clearInterval(timer);
}

/** Executes commands, and cuts the connection before the reply. */
function loseReplies(wire: Wire): void {
  wire.swallowReplies();
  setTimeout(() => wire.cut(), 20);
}
