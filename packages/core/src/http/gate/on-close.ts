import type { HttpSocket } from '../request.js';
import type { GateResponse } from '../response.js';

/** The members of a response that tell that it has ended. */
export type ClosingResponse = Pick<GateResponse, 'destroyed' | 'once'> & {
  /** Over HTTP/2: a response may miss the end of its stream. */
  readonly stream?: HttpSocket;
};

/**
 * Calls back once, when a response has been sent or its client has disconnected: at once if that has happened.
 *
 * @param socket the connection: a response behind others of its connection gets no event of its end
 * @returns ends the listening
 */
export function onClose(
  response: ClosingResponse | undefined,
  socket: HttpSocket | undefined,
  callback: () => void,
): () => void {
  const connection = response?.stream ?? socket;
  if (response?.destroyed || connection?.destroyed) {
    callback();
    return () => {};
  }
  const stop = () => {
    for (const remove of removals) remove();
  };
  const finish = () => {
    stop();
    callback();
  };
  const removals = [response, connection].map((emitter) => listen(emitter, finish));
  return stop;
}

type Emitter = Pick<HttpSocket, 'once'>;

const listenersByEmitter = new WeakMap<Emitter, Set<() => void>>();

/** Adds one listener for all that wait, because Node warns of more than ten. @returns takes it out */
function listen(emitter: Emitter | undefined, listener: () => void): () => void {
  if (!emitter?.once) return () => {};
  const listeners = listenersByEmitter.get(emitter) ?? new Set();
  if (!listenersByEmitter.has(emitter)) {
    listenersByEmitter.set(emitter, listeners);
    emitter.once('close', () => {
      for (const each of listeners) each();
    });
  }
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
