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

export function newPlace<T extends Checked>(number: number, work: Work<T>, resolve: Place<T>['resolve']): Place<T> {
  const waitsUntil = performance.now() + work.wait;
  const state = { isSent: false, isAsking: false, hasLeft: false, admitted: undefined, stop: undefined };
  return { number, work, resolve, waitsUntil, ...state };
}

/** Has work leave when its time is over, or for another reason. */
export function waitAt<T extends Checked>(place: Place<T>, leave: () => void): void {
  place.stop?.();
  const { work, waitsUntil } = place;
  const stopListening = work.onLeave(leave);
  if (place.hasLeft) return;
  const timer = setTimeout(leave, Math.max(0, Math.ceil(waitsUntil - performance.now())));
  place.stop = () => {
    clearTimeout(timer);
    stopListening();
  };
}
