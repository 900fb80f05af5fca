import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export interface Listener {
  readonly port: number;
  readonly url: string;
  close(): Promise<void>;
}

export interface Wire extends Listener {
  /** Nothing passes any more, and nobody is told. */
  freeze(): void;
  /** Commands arrive, and replies do not: on the connections of now. */
  swallowReplies(): void;
  /** Ends the connections of now. New ones are sound. */
  cut(): void;
}

/** Listens on a port and says nothing unless it is told what to do with a connection. */
export async function listen(onConnection: (socket: Socket) => void = () => undefined): Promise<Listener> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
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

/** A port that nobody listens on. */
export async function closedPort(): Promise<number> {
  const listener = await listen();
  await listener.close();
  return listener.port;
}

/** A wire to a server that can break in the ways that wires do. */
export async function wireTo(server: { readonly port: number }): Promise<Wire> {
  const pairs = new Set<[client: Socket, server: Socket]>();
  const listener = await listen((client) => {
    const behind = connect(server.port, '127.0.0.1');
    const pair: [Socket, Socket] = [client, behind];
    pairs.add(pair);
    behind.on('error', () => undefined);
    client.pipe(behind);
    behind.pipe(client);
    client.once('close', () => behind.destroy());
    behind.once('close', () => client.destroy());
  });
  return {
    ...listener,
    freeze() {
      for (const [client, behind] of pairs) {
        client.unpipe(behind);
        behind.unpipe(client);
      }
    },
    swallowReplies() {
      for (const [client, behind] of pairs) {
        behind.unpipe(client);
        behind.resume();
      }
    },
    cut() {
      for (const [client] of pairs) client.destroy();
      pairs.clear();
    },
  };
}
