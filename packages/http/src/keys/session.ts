import { type Key, keyFactory, type KeyFunction, readOptions } from '@sluice/core/internal';
import { headerOf, type HttpRequest } from '../request/request.js';
import { textOf } from './by.js';
import { identifyBy, OTHERWISE_ROWS, otherwiseOf, type Otherwise } from './otherwise.js';

/** Cookies that are decoded for a spelling of the id: one holds the id, and few others can contain its text. */
const MAX_DECODED_COOKIES = 5;

/**
 * Identifies a client by its session of express-session or @fastify/session. A session counts only if the request
 * brought its id: a client without a cookie gets a new session each time, which would be a new budget. A client can
 * still collect sessions: have a tier with `byIp()` too. Kind `session`.
 *
 * @throws ConfigError OPTION_INVALID, OPTION_UNKNOWN
 * @example { name: 'session-minute', key: bySession(), limit: 60, window: '1m' }
 */
export const bySession = /* @__PURE__ */ keyFactory(function bySession<S extends HttpRequest>(
  options: Otherwise<S> = {},
): KeyFunction<S> {
  readOptions('bySession', options, OTHERWISE_ROWS);
  const otherwise = otherwiseOf(options);
  return identifyBy<S, HttpRequest>(
    { owner: 'bySession', kind: 'session', read: (subject) => subject, identityOf },
    otherwise,
  );
});

function identityOf(subject: HttpRequest): Key | undefined {
  const id = textOf(sessionId(subject));
  return id !== undefined && hasBrought(subject, id) ? { kind: 'session', parts: [id] } : undefined;
}

/** `id` comes last: in a Fastify session it may be a value of the application. */
function sessionId({ session, sessionID }: HttpRequest): unknown {
  const { sessionId: fastifyId, id } = Object(session) as { sessionId?: unknown; id?: unknown };
  return sessionID ?? fastifyId ?? id;
}

function hasBrought(subject: HttpRequest, id: string): boolean {
  // An operator names a session without headers.
  if (subject.headers === undefined) return true;
  const cookies = headerOf(subject, 'cookie') ?? '';
  const spelling = encoded(id);
  return holdsId(cookies, id, id) || (spelling !== id && holdsId(cookies, spelling, id));
}

/** Looks at cookies with a spelling of the id alone, because a client can send thousands of others. */
function holdsId(cookies: string, spelling: string, id: string): boolean {
  let at = cookies.indexOf(spelling);
  for (let decodings = 0; at >= 0 && decodings < MAX_DECODED_COOKIES; decodings += 1) {
    const next = cookies.indexOf(';', at);
    const end = next < 0 ? cookies.length : next;
    const cookie = cookies.slice(cookies.lastIndexOf(';', at) + 1, end);
    if (holds(decoded(cookie.slice(cookie.indexOf('=') + 1).trim()), id)) return true;
    at = cookies.indexOf(spelling, end + 1);
  }
  return false;
}

/** A cookie holds an id alone or signed: `id.signature`, or `s:id.signature` in Express. */
function holds(value: string, id: string): boolean {
  const text = value.startsWith('s:') ? value.slice(2) : value;
  return text === id || text.startsWith(`${id}.`);
}

function encoded(id: string): string {
  try {
    return encodeURIComponent(id);
  } catch {
    // A lone surrogate is in no cookie.
    return id;
  }
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    // Not encoded.
    return value;
  }
}
