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
    const result = call(subject);
    if (!isPromise(result)) return result;
    return Promise.resolve(result).catch((cause: unknown) => Promise.reject(failure(owner, name, cause)));
  } catch (cause) {
    return Promise.reject(failure(owner, name, cause));
  }
}

function failure(owner: string, name: string, cause: unknown): UsageError {
  return new UsageError('FUNCTION_FAILED', `${owner}: the function ${name} failed`, { cause });
}
