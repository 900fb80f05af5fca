import type { HttpRequest, HttpSocket } from '../request/request.js';
import { hasClosed, type ClosingResponse } from '../request/on-close.js';

interface Asked {
  readonly request: HttpRequest;
  readonly response?: ClosingResponse;
}

/** True for a request that nobody waits for: its connection is closed, or takes no answer because its client has ended it. */
export function hasLeft({ request: { socket }, response }: Asked): boolean {
  if (hasClosed(response, socket)) return true;
  // Over HTTP/2 a stream ends, and not the connection.
  return response?.stream === undefined && isEnded(socket);
}

function isEnded(socket: (HttpSocket & { readonly writableEnded?: boolean }) | undefined): boolean {
  return socket?.writableEnded === true;
}
