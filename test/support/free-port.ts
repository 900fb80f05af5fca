import { once } from 'node:events';
import { createServer } from 'node:net';

/** A server could not start because its port was in use. */
export class PortTaken extends Error {
  override name = 'PortTaken';
}

/** Starts something on a port that nobody listens on, and on another one as long as that turns out to be taken. */
export async function onFreePort<T>(start: (port: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    try {
      return await start(port);
    } catch (error) {
      // Between the question and the start, another process may have taken it.
      if (!(error instanceof PortTaken) || attempt === 5) throw error;
    }
  }
}

/** Below those that outgoing connections are given: a server that is started again finds its port as it left it. */
const FIRST = 10_000;
const LAST = 32_000;

async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST));
    const server = createServer();
    // Whether it listens or fails, it tells.
    const listens = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!listens) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
