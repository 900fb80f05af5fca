import type { Key } from '../../model/identity.js';
import type { MaybePromise } from '../../async/maybe-promise.js';
import { headerOf, type HttpRequest } from '../request.js';
import { otherwiseOf, textOf, type Otherwise } from './by.js';
import { readIdentityOptions } from './identity-options.js';

/**
 * Identifies by the session of express-session or @fastify/session. A session counts when the request itself brought
 * its id: one that was made for this very request would be a new budget for whoever sends no cookie. Sessions are free
 * to collect all the same: have a tier by IP beside it. Kind `session`.
 *
 * @throws ConfigError OPTION_INVALID, OPTION_UNKNOWN
 */
export function bySession<S extends HttpRequest>(options: Otherwise<S> = {}): (subject: S) => MaybePromise<Key> {
  const otherwise = otherwiseOf(readIdentityOptions('bySession', options, ['otherwise']), options);
  return (subject) => {
    const id = textOf(sessionId(subject));
    return id !== undefined && brought(subject, id) ? { kind: 'session', parts: [id] } : otherwise(subject);
  };
}

/** Last of all an `id` in the session: in those of Fastify it is something that the application keeps there. */
function sessionId({ session, sessionID }: HttpRequest): unknown {
  const { sessionId: fastifyId, id } = Object(session) as { sessionId?: unknown; id?: unknown };
  return sessionID ?? fastifyId ?? id;
}

/** Cookies that are looked at closely: one holds the id, and hardly another has its text in it. */
const LIKELY_MAX = 10;

function brought(subject: HttpRequest, id: string): boolean {
  // An operator who names a session has no headers to show for it.
  if (subject.headers === undefined) return true;
  const cookies = (headerOf(subject, 'cookie') ?? '').split(';');
  const spelt = [id, encoded(id)];
  // Decoded is only what can be it: a client can send thousands of others.
  const likely = cookies.filter((cookie) => spelt.some((each) => cookie.includes(each))).slice(0, LIKELY_MAX);
  return likely.some((cookie) => carries(decoded(cookie.slice(cookie.indexOf('=') + 1).trim()), id));
}

/** A cookie holds an id alone or signed, `id.signature`; that of Express says so, `s:id.signature`. */
function carries(value: string, id: string): boolean {
  const told = value.startsWith('s:') ? value.slice(2) : value;
  return told === id || told.startsWith(`${id}.`);
}

function encoded(id: string): string {
  try {
    return encodeURIComponent(id);
  } catch {
    // A half of a surrogate pair is in no cookie.
    return id;
  }
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    // Whoever wrote it has not encoded it.
    return value;
  }
}
