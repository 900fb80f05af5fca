import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

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

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
