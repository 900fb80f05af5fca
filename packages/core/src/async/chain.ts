import { isPromise } from './maybe-promise.js';
import { Deferred } from './deferred.js';
import type { MaybePromise } from './maybe-promise.js';

/** Goes on with a value at once, or when it arrives, and with its failure where there is a way: no promise where none is needed. */
export function chain<T, R>(
  value: MaybePromise<T>,
  next: (value: T) => MaybePromise<R>,
  recover?: (error: unknown) => MaybePromise<R>,
): MaybePromise<R> {
  if (value instanceof Deferred) return value.chain(next, recover);
  return isPromise(value) ? Promise.resolve(value).then(next, recover) : next(value);
}

/** As `chain`, for whoever gives on a promise, or a value that is there. */
export function chainToPromise<T, R>(value: MaybePromise<T>, next: (value: T) => R): MaybePromise<R> {
  if (value instanceof Deferred) return value.promiseOf(next);
  return isPromise(value) ? Promise.resolve(value).then(next) : next(value);
}
