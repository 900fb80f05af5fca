import type { Checked, Work } from './work.js';

/** The place of work in a line. */
export interface Place<T extends Checked> {
  /** In the order of arrival. */
  readonly number: number;
  readonly work: Work<T>;
  readonly resolve: (answer: PromiseLike<T> | T | undefined) => void;
  /** In milliseconds of `performance.now()`. */
  readonly waitsUntil: number;
  /** Its check counts for the work, so that the order does not have it. */
  isSent: boolean;
  /** A check is in flight: that one, or one that was sent too early. */
  isAsking: boolean;
  hasLeft: boolean;
  /** Admitted behind work whose check is in flight. */
  admitted: T | undefined;
  /** Ends its timer and its listener. Undefined for work that has not had to wait. */
  stop: (() => void) | undefined;
}
