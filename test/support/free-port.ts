import { once } from 'node:events';
import { createServer } from 'node:net';

/** A server could not start because its port was in use. */
export class PortTaken extends Error {
  override name = 'PortTaken';
}

/** Starts a server on a free port. Tries another port if that one turns out to be taken. */
export async function onFreePort<T>(start: (port: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    try {
      return await start(port);
    } catch (error) {
      // Another process can take the port before the start.
      if (!(error instanceof PortTaken) || attempt === 5) throw error;
    }
  }
}

/** Below the ports of outgoing connections, so that a restarted server finds its port free. */
const FIRST = 10_000;
const LAST = 32_000;

async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST));
    const server = createServer();
    // Resolves for a free port and for a taken one.
    const listens = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!listens) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
