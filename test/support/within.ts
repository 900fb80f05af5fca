import type { MaybePromise } from '../../packages/core/src/index.js';

/** More turns of the event loop than a deadline waits for, which reads the replies in sockets first. */
const TURNS = 20;

/**
 * Settles as a call does, or rejects when a timer of this process rings first. For answers that a timer gives: a busy
 * machine delays both, and keeps their order.
 */
export function within<T>(milliseconds: number, call: () => MaybePromise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Error(`there was no answer within ${milliseconds} ms`));
    const answer = Promise.resolve(call());
    // After the call: a timer of the call with a shorter time rings before it.
    const alarm = setTimeout(() => afterTurns(TURNS, late), milliseconds);
    answer.then(resolve, reject).finally(() => clearTimeout(alarm));
  });
}

function afterTurns(turns: number, run: () => void): void {
  if (turns === 0) run();
  else setImmediate(() => afterTurns(turns - 1, run));
}
