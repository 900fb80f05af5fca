import type { MaybePromise } from '../../async/maybe-promise.js';
import type { Answer } from '../../model/answer.js';
import type { Passage, Waiters } from '../layer.js';

/** A request that may wait for a permit. It is sent through the layers each time that it is its turn. */
export interface LinedRequest extends Pick<Passage, 'group' | 'patience'> {
  /** The limiter, with which it leaves, and with which its permits end. */
  readonly owner: object;
  send(waiters: Waiters): MaybePromise<Answer>;
  peek(): MaybePromise<Answer>;
}
