// Socket.IO 4: ten connections a minute for an address, and twenty events a second over all of them.
//
// - `allowRequest` runs before a connection takes memory, for polling and WebSocket. A denied client tries again by its
//   own back-off.
// - Events count by address, not by socket: otherwise a client reconnects and has a new budget.
// - A denied event reaches no handler. Its acknowledgement, if the client wants one, says how long to wait.
// - A client chooses the arguments of an event, and a listener that throws ends the process: check them.
// - After `store.close()` connections are refused, and events end in the `error` listener of their socket.
// - Each namespace has sockets of its own: call `limitEvents` in the `connection` listener of each.
// - Behind a proxy `handshake.address` is the proxy. Compute the address once for each handshake, as in the guide for
//   WebSockets: docs/guide/beyond-middleware.md#websockets.

import { byIp, createLimiter, memoryStore, type HttpRequest, type Limiter, type Store } from '@sluice/http';
import { Server, type Socket } from 'socket.io';

const seconds = (milliseconds: number) => Math.ceil(milliseconds / 1_000);

export function createIo(store: Store = memoryStore()): Server {
  const connections = createLimiter<HttpRequest>({ store, name: 'connections', key: byIp(), limit: 10, window: '1m' });
  const events = createLimiter<HttpRequest>({
    store,
    name: 'events',
    key: byIp(),
    algorithm: 'token-bucket',
    limit: 20,
    window: '1s',
  });

  const admit = async (request: HttpRequest, callback: (error: string | undefined, success: boolean) => void) => {
    const { allowed, retryAfter } = await connections.consume(request);
    callback(allowed ? undefined : `Retry in ${seconds(retryAfter)} s.`, allowed);
  };

  const io = new Server({
    allowRequest: (request, callback) => void admit(request, callback).catch(() => callback('unavailable', false)),
  });
  io.on('connection', (socket) => {
    limitEvents(socket, events);
    socket.on('say', (text: unknown, acknowledge: unknown) => {
      if (typeof acknowledge === 'function') acknowledge({ said: text });
    });
  });
  return io;
}

function limitEvents(socket: Socket, events: Limiter<HttpRequest>): void {
  const client = { ip: socket.handshake.address };
  const admit = async (event: readonly unknown[], next: () => void) => {
    const { allowed, retryAfter } = await events.consume(client);
    if (allowed) return next();
    const acknowledge = event.at(-1);
    if (typeof acknowledge === 'function') acknowledge({ error: 'rate-limited', retryAfter: seconds(retryAfter) });
  };

  socket.use((event, next) => void admit(event, next).catch(next));
}
