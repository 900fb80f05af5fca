import type { HttpSocket } from '../request.js';
import type { GateResponse } from '../response.js';

/** Node ends a longer timer at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Waits, unless the client disconnects.
 *
 * @param delay milliseconds
 * @param socket the connection: a response behind others of its connection gets no event of its end
 * @returns whether the client is still there
 */
export function waitForTurn(delay: number, response: GateResponse, socket?: HttpSocket): Promise<boolean> {
  return new Promise((resolve) => {
    if (response.destroyed || socket?.destroyed) {
      resolve(false);
      return;
    }
    const finish = (isConnected: boolean) => () => {
      clearTimeout(timer);
      response.off('close', disconnect);
      removeListener();
      resolve(isConnected);
    };
    const disconnect = finish(false);
    const timer = setTimeout(finish(true), Math.min(delay, MAX_TIMER_MS));
    const removeListener = onClose(socket, disconnect);
    response.once('close', disconnect);
  });
}

const listenersBySocket = new WeakMap<HttpSocket, Set<() => void>>();

/** Adds one listener to a connection for all its waiting requests, because Node warns of more than ten. */
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
