import { isPromise } from './is-promise.js';
import { Later } from './later.js';
import type { MaybePromise } from './maybe-promise.js';

/** Goes on with a value at once, or when it arrives, and with its failure where there is a way: no promise where none is needed. */
export function proceed<T, R>(
  value: MaybePromise<T>,
  next: (value: T) => MaybePromise<R>,
  recover?: (error: unknown) => MaybePromise<R>,
): MaybePromise<R> {
  if (value instanceof Later) return value.proceed(next, recover);
  return isPromise(value) ? Promise.resolve(value).then(next, recover) : next(value);
}

/** As `proceed`, for whoever gives on a promise, or a value that is there. */
export function promised<T, R>(value: MaybePromise<T>, next: (value: T) => R): MaybePromise<R> {
  if (value instanceof Later) return value.promiseOf(next);
  return isPromise(value) ? Promise.resolve(value).then(next) : next(value);
}
