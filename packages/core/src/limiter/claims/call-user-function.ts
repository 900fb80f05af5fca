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
    return withOwner(owner, name, call(subject), subject);
  } catch (cause) {
    return withOwner(owner, name, Promise.reject(cause), subject);
  }
}

/** The result of a function of the application. A promise becomes a native one, and its error a UsageError. */
export function withOwner(owner: string, name: string, result: unknown, subject: unknown): unknown {
  if (!isPromise(result)) return result;
  return Promise.resolve(result).catch((cause: unknown) => {
    throw functionFailed(`${owner}: the function ${name}`, cause, subject);
  });
}

/** The error for a function of the application that has thrown or rejected. */
export function functionFailed(what: string, cause: unknown, subject: unknown): UsageError {
  const text = mistakeIn(cause);
  const isText = cause instanceof TypeError && typeof subject === 'string';
  const hint = isText ? NO_OBJECT : text === '' ? '' : hintFor(subject);
  return new UsageError('FUNCTION_FAILED', `${what} failed${text}${hint}`, { cause });
}

/**
 * The engine writes these messages, and they name the mistake. Other messages may quote an identity, and so may the name
 * of a property that is no identifier: `plans[email]`.
 */
const MISTAKES =
  /^Cannot read properties of \w+ \(reading '[a-z_$][\w$]*'\)$|^\w+ is not defined$|^[\w.]+ is not a function$/i;

function mistakeIn(cause: unknown): string {
  const isOfEngine = cause instanceof TypeError || cause instanceof ReferenceError;
  return isOfEngine && MISTAKES.test(cause.message) ? `: ${cause.message}` : '';
}

const NO_OBJECT =
  ". The subject is text: if the function reads a property of it, pass an object such as { ip: '203.0.113.7' }";

const NO_BODY =
  ". The request has no parsed body: if the function reads it, run the limit after the body parser (Fastify: hook: 'preHandler')";

const NO_CONTEXT =
  '. On Hono the function gets a subject, and c is its context: write ({ context }) => context.req.header(…)';

/** What is usually missing in a subject. */
function hintFor(subject: unknown): string {
  if (typeof (Object(subject) as { readonly context?: unknown }).context === 'object') return NO_CONTEXT;
  return isWithoutBody(subject) ? NO_BODY : '';
}

function isWithoutBody(subject: unknown): boolean {
  const { headers, body } = Object(subject) as { readonly headers?: unknown; readonly body?: unknown };
  return headers !== undefined && (body === undefined || body === null);
}
