import { UsageError } from '../../model/errors.js';
import { isPromise } from '../../async/maybe-promise.js';

/**
 * Calls a user's function. What it throws becomes a rejection, as of one that is async: the other functions are still
 * called and awaited.
 *
 * @param owner whose function it is, for the UsageError FUNCTION_FAILED
 */
export function callUserFunction<S>(owner: string, name: string, call: (subject: S) => unknown, subject: S): unknown {
  try {
    const answer = call(subject);
    if (!isPromise(answer)) return answer;
    return Promise.resolve(answer).catch((cause: unknown) => Promise.reject(failure(owner, name, cause)));
  } catch (cause) {
    return Promise.reject(failure(owner, name, cause));
  }
}

function failure(owner: string, name: string, cause: unknown): UsageError {
  return new UsageError('FUNCTION_FAILED', `${owner}: the function ${name} failed`, { cause });
}
