import type { HttpRequest, HttpSocket } from './request.js';

/** The peer of a connection over a Unix socket, which has no address. */
export const UNIX = 'unix';

interface NodeSocket extends HttpSocket {
  readonly localAddress?: string | undefined;
}

/** Who is at the other end of the connection, whatever a header says. Undefined if it cannot be read any more. */
export function peerOf({ peer, socket }: HttpRequest): string | undefined {
  if (peer !== undefined) return peer;
  const { remoteAddress, localAddress, destroyed } = (socket ?? {}) as NodeSocket;
  if (remoteAddress !== undefined) return remoteAddress;
  // A connection whose client has left has an address of its own still, unless it is closed.
  return destroyed === false && localAddress === undefined ? UNIX : undefined;
}
