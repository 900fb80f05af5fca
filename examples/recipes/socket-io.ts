// Socket.IO 4: ten connections a minute for an address, and twenty events a second over all of them.
//
// - `allowRequest` runs before a connection takes memory, for polling and WebSocket. A denied client tries again by its
//   own back-off.
// - Events count by address, not by socket: otherwise a client reconnects and has a new budget.
// - A denied event reaches no handler. Its acknowledgement, if the client wants one, says how long to wait.
// - Each namespace has sockets of its own: call `limitEvents` in the `connection` listener of each.
// - Behind a proxy `handshake.address` is the proxy. Compute the address once for each handshake, as in the guide for
//   WebSockets: docs/guide/beyond-middleware.md#example-websockets.

import { byIp, createLimiter, type HttpRequest } from '@sluice/core';
import { Server, type Socket } from 'socket.io';

export const connections = createLimiter<HttpRequest>({ name: 'connections', key: byIp(), limit: 10, window: '1m' });
export const events = createLimiter<HttpRequest>({
  name: 'events',
  key: byIp(),
  algorithm: 'token-bucket',
  limit: 20,
  window: '1s',
});

export const io = new Server({
  allowRequest: async (request, callback) => {
    const { allowed, retryAfter } = await connections.consume(request);
    callback(allowed ? undefined : `Retry in ${Math.ceil(retryAfter / 1_000)} s.`, allowed);
  },
});

function limitEvents(socket: Socket): void {
  const client = { ip: socket.handshake.address };
  socket.use(async (event, next) => {
    const { allowed, retryAfter } = await events.consume(client);
    if (allowed) return next();
    const acknowledge: unknown = event.at(-1);
    if (typeof acknowledge === 'function')
      acknowledge({ error: 'rate-limited', retryAfter: Math.ceil(retryAfter / 1_000) });
  });
}

io.on('connection', (socket) => {
  limitEvents(socket);
  socket.on('say', (text: string, acknowledge: (answer: unknown) => void) => acknowledge({ said: text }));
});
