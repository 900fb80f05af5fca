import type { HttpSocket } from '../request.js';
import type { GateResponse } from '../response.js';

/** The members of a response that tell that it has ended. */
export type ClosingResponse = Pick<GateResponse, 'destroyed' | 'once' | 'off'> & {
  /** Over HTTP/2: a response may miss the end of its stream. */
  readonly stream?: HttpSocket;
};

/**
 * Calls back once, when a response has been sent or its client has disconnected: at once if that has happened.
 *
 * @param socket the connection: a response behind others of its connection gets no event of its end
 * @returns ends the listening
 */
export function onClose(response: ClosingResponse, socket: HttpSocket | undefined, callback: () => void): () => void {
  const connection = response.stream ?? socket;
  if (response.destroyed || connection?.destroyed) {
    callback();
    return () => {};
  }
  const stop = () => {
    response.off('close', finish);
    removeListener();
  };
  const finish = () => {
    stop();
    callback();
  };
  const removeListener = onSocketClose(connection, finish);
  response.once('close', finish);
  return stop;
}

const listenersBySocket = new WeakMap<HttpSocket, Set<() => void>>();

/** Adds one listener to a connection for all its requests, because Node warns of more than ten. */
function onSocketClose(socket: HttpSocket | undefined, listener: () => void): () => void {
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
