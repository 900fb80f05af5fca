import type { MaybePromise } from '../../async/maybe-promise.js';
import type { KeyFunction } from '../key-function.js';

/** How callers share the limit of a concurrency tier. */
export interface Fair<S> {
  /** Identifies the caller of a request, as `key` identifies a client. */
  by: KeyFunction<S>;
  /**
   * The weight of the caller, an integer from 1 to 100: its share is the limit times its weight by the weights of all callers
   * that hold or were denied something.
   *
   * @default 1: equal shares
   */
  weight?: (subject: S) => MaybePromise<number>;
}
