import type { HttpSocket } from '../request.js';
import { onClose, type ClosingResponse } from './on-close.js';

/** Node ends a longer timer at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Waits, unless the client disconnects.
 *
 * @param delay milliseconds
 * @param socket the connection: a response behind others of its connection gets no event of its end
 * @returns whether the client is still there
 */
export function waitForTurn(delay: number, response: ClosingResponse, socket?: HttpSocket): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(
      () => {
        stop();
        resolve(true);
      },
      Math.min(delay, MAX_TIMER_MS),
    );
    const stop = onClose(response, socket, () => {
      clearTimeout(timer);
      resolve(false);
    });
  });
}
