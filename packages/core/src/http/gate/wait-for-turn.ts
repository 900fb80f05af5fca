import type { GateResponse } from '../response.js';
import type { HttpSocket } from '../request.js';

/** A timer that is set for longer ends at once. */
const LONGEST = 2 ** 31 - 1;

/**
 * Waits, unless the client leaves.
 *
 * @param delay milliseconds
 * @param socket the connection: a response that stands behind others of its connection does not hear of its end
 * @returns whether the client has stayed
 */
export function wait(delay: number, response: GateResponse, socket?: HttpSocket): Promise<boolean> {
  return new Promise((resolve) => {
    if (response.destroyed || socket?.destroyed) {
      resolve(false);
      return;
    }
    const end = (stayed: boolean) => () => {
      clearTimeout(timer);
      response.off('close', leave);
      forget();
      resolve(stayed);
    };
    const leave = end(false);
    const timer = setTimeout(end(true), Math.min(delay, LONGEST));
    const forget = onClose(socket, leave);
    response.once('close', leave);
  });
}

const listenersBySocket = new WeakMap<HttpSocket, Set<() => void>>();

/** One listener for a connection, however many of its requests wait. */
function onClose(socket: HttpSocket | undefined, listener: () => void): () => void {
  if (!socket?.once) return () => {};
  const listeners = listenersBySocket.get(socket) ?? new Set();
  if (!listenersBySocket.has(socket)) {
    listenersBySocket.set(socket, listeners);
    socket.once('close', () => {
      for (const each of listeners) each();
    });
  }
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
