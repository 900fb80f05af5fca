import { isPromise } from '../../async/deferred.js';
import { UsageError } from '../../model/errors.js';

/**
 * Calls a function of the application. An error that it throws becomes a rejection, as of an async function, so that
 * the caller can still call and await its other functions.
 *
 * @param owner the tier or limiter that the function belongs to: the first words of the UsageError FUNCTION_FAILED
 */
export function callUserFunction<S>(owner: string, name: string, call: (subject: S) => unknown, subject: S): unknown {
  try {
    return withOwner(owner, name, call(subject));
  } catch (cause) {
    return withOwner(owner, name, Promise.reject(cause));
  }
}

/** The result of a function of the application. A promise becomes a native one, and its error a UsageError. */
export function withOwner(owner: string, name: string, result: unknown): unknown {
  if (!isPromise(result)) return result;
  return Promise.resolve(result).catch((cause: unknown) => {
    throw new UsageError('FUNCTION_FAILED', `${owner}: the function ${name} failed`, { cause });
  });
}
