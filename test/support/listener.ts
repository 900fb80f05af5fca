import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';

export interface Listener {
  readonly port: number;
  readonly url: string;
  close(): Promise<void>;
}

/** Listens on a port. Without `onConnection` it never replies. */
export async function listen(onConnection: (socket: Socket) => void = () => undefined): Promise<Listener> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    onConnection(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A port without a listener. */
export async function closedPort(): Promise<number> {
  const listener = await listen();
  await listener.close();
  return listener.port;
}
