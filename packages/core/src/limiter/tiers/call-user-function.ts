import { isPromise } from '../../async/deferred.js';
import { UsageError } from '../../model/errors.js';
import { kindOfError } from '../../options/show.js';
import { failureHint } from './failure-hint.js';

/**
 * Calls a function of the application. An error that it throws becomes a rejection, as of an async function, so that
 * the caller can still call and await its other functions.
 *
 * @param owner the tier or limiter that the function belongs to: the first words of the UsageError FUNCTION_FAILED
 */
export function callUserFunction<S>(owner: string, name: string, call: (subject: S) => unknown, subject: S): unknown {
  let result: unknown;
  try {
    result = call(subject);
  } catch (cause) {
    result = Promise.reject(cause);
  }
  return isPromise(result) ? withOwner(`${owner}: the function ${name}`, result, { subject, call }) : result;
}

/** The result of a function of the application. A promise becomes a native one, and its error a UsageError. */
export function withOwner(what: string, result: unknown, call: Omit<Failure, 'cause'>): unknown {
  if (!isPromise(result)) return result;
  return Promise.resolve(result).catch((cause: unknown) => {
    throw functionFailed(what, { ...call, cause });
  });
}

/** A function of the application that has thrown or rejected, and what it was called with. */
interface Failure {
  readonly cause: unknown;
  readonly subject: unknown;
  readonly call: unknown;
}

/** The error for a function of the application that has thrown or rejected. */
export function functionFailed(what: string, { cause, subject, call }: Failure): UsageError {
  const text = isMistake(cause)
    ? `: ${cause.message}${failureHint(cause, subject, call)}`
    : ` with ${kindOfError(cause)}: the message is in its cause`;
  const hint = cause instanceof TypeError && typeof subject === 'string' ? NO_OBJECT : '';
  return new UsageError('FUNCTION_FAILED', `${what} failed${text}${hint}`, { cause });
}

const NO_OBJECT =
  ". The subject is text: if the function reads a property of it, pass an object such as { ip: '203.0.113.7' }";

/** The engine writes these messages, and they name the mistake. */
const MISTAKES =
  /^Cannot read properties of \w+ \(reading '[a-z_$][\w$]*'\)$|^\w+ is not defined$|^[\w.]+ is not a function$/i;

function isMistake(cause: unknown): cause is Error {
  return (cause instanceof TypeError || cause instanceof ReferenceError) && MISTAKES.test(cause.message);
}
