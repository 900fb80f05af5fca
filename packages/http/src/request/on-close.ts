import { listenOnce } from '@sluice/core/internal';
import type { HttpSocket } from './request.js';
import type { GateResponse } from './response.js';

/** The members of a response that tell that it has ended. */
export type ClosingResponse = Pick<GateResponse, 'destroyed' | 'once'> & {
  /** Over HTTP/2: a response may miss the end of its stream. */
  readonly stream?: ClosingStream;
};

/** A stream of HTTP/2. */
interface ClosingStream extends HttpSocket {
  readonly closed?: boolean;
  readonly session?: { readonly destroyed?: boolean } | undefined;
}

/**
 * True for a response that has been sent, or whose client has disconnected. Ask again from time to time, because Node
 * leaves some streams of a connection that its client destroys closed, without an event.
 *
 * @param socket the connection
 */
export function hasClosed(response: ClosingResponse | undefined, socket: HttpSocket | undefined): boolean {
  const stream = response?.stream;
  if (response?.destroyed || (stream ?? socket)?.destroyed) return true;
  return stream !== undefined && (stream.closed === true || stream.session?.destroyed === true);
}

/**
 * Calls back once, when a response has been sent or its client has disconnected: immediately if that has happened.
 *
 * @param socket the connection: a response behind others of its connection gets no event of its end
 * @returns ends the listening
 */
export function onClose(
  response: ClosingResponse | undefined,
  socket: HttpSocket | undefined,
  callback: () => void,
): () => void {
  if (hasClosed(response, socket)) {
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
  const removals = [response, response?.stream ?? socket].map((emitter) => listenOnce(emitter, 'close', finish));
  return stop;
}

/** Calls back when a response was sent. */
export function onFinish(response: Pick<GateResponse, 'once'>, callback: () => void): void {
  listenOnce(response, 'finish', callback);
}
