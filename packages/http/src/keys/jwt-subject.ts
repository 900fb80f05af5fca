import {
  FUNCTION,
  type Key,
  keyFactory,
  type KeyFunction,
  type MaybePromise,
  readOptions,
  warn,
} from '@sluice/core/internal';
import type { HttpRequest } from '../request/request.js';
import { textOf } from './by.js';
import { identifyBy, OTHERWISE_ROWS, otherwiseOf, type Otherwise } from './otherwise.js';

export interface JwtSubjectOptions<S> extends Otherwise<S> {
  /**
   * Returns the claims of a token that your code has verified, or the result of `jwtVerify` of jose. Undefined for a
   * request without a valid token.
   *
   * @default `auth` or `user` of the request, where express-jwt, passport and @fastify/jwt leave the claims
   */
  from?: (subject: S) => MaybePromise<unknown>;
}

export const JWT_ROWS = { from: FUNCTION, ...OTHERWISE_ROWS };

/**
 * Identifies a caller by issuer and subject of a JSON Web Token that earlier code has verified. It never decodes a token
 * itself: an unverified `sub` would let a client claim any account's budget, or a new one with every request. Kind
 * `jwt-subject`.
 *
 * @throws ConfigError OPTION_INVALID, OPTION_UNKNOWN
 * @example { name: 'user-hour', key: byJwtSubject(), limit: 5_000, window: '1h' }
 */
export const byJwtSubject = /* @__PURE__ */ keyFactory(function byJwtSubject<S extends HttpRequest>(
  options: JwtSubjectOptions<S> = {},
): KeyFunction<S> {
  readOptions('byJwtSubject', options, JWT_ROWS);
  const { from } = options;
  const otherwise = otherwiseOf(options);
  const [owner, kind] = ['byJwtSubject', 'jwt-subject'];
  if (from) return identifyBy({ owner, kind, read: from, identityOf }, otherwise);
  return identifyBy<S, HttpRequest>(
    { owner, kind, read: (subject) => subject, identityOf: identityOfCaller },
    otherwise,
  );
});

function identityOfCaller({ auth, user }: HttpRequest): Key | undefined {
  const identity = identityOf(auth) ?? identityOf(user);
  if (identity === undefined && (isObject(auth) || isObject(user))) warnOfMissingSubject();
  return identity;
}

/** Some libraries leave the claims, others the whole token with its claims in `payload`. */
function identityOf(verified: unknown): Key | undefined {
  return identityIn(verified) ?? identityIn(member(verified, 'payload'));
}

/** Both parts, because two issuers may use one name for two subjects. */
function identityIn(claims: unknown): Key | undefined {
  const subject = textOf(member(claims, 'sub'));
  const issuer = issuerIn(claims);
  return subject === undefined || issuer === undefined ? undefined : { kind: 'jwt-subject', parts: [issuer, subject] };
}

/** A token may come without an issuer. A token with an invalid issuer identifies no caller. */
function issuerIn(claims: unknown): string | undefined {
  const issuer = member(claims, 'iss') ?? '';
  return issuer === '' ? issuer : textOf(issuer);
}

function member(object: unknown, name: string): unknown {
  return isObject(object) ? (object as Record<string, unknown>)[name] : undefined;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function warnOfMissingSubject(): void {
  warn(
    'SLUICE_JWT_WITHOUT_SUBJECT',
    "byJwtSubject: a caller was authenticated, and neither auth nor user of the request has the claim sub, so that otherwise applies: return the claims by from, or use by('user', ...)",
  );
}
