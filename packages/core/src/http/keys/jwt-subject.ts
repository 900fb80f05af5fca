import type { Key } from '../../model/identity.js';
import type { MaybePromise } from '../../async/maybe-promise.js';
import { chain } from '../../async/chain.js';
import { warn } from '../../events/warning.js';
import type { HttpRequest } from '../request.js';
import { otherwiseOf, textOf, type Otherwise } from './by.js';
import { readIdentityOptions } from './identity-options.js';

export interface JwtSubjectOptions<S> extends Otherwise<S> {
  /**
   * Gives the claims of a token that your code has verified, or what `jwtVerify` of jose has made of it; undefined where
   * there is none, or none that is valid.
   *
   * @default `auth` or `user` of the request, where express-jwt, passport and @fastify/jwt leave them
   */
  from?: (subject: S) => MaybePromise<unknown>;
}

/**
 * Identifies by issuer and subject of a JSON Web Token that something before it has verified. Never reads a token: who
 * could have its `sub` believed unverified had any number of budgets, and those of others. Kind `jwt-subject`.
 *
 * @throws ConfigError OPTION_INVALID, OPTION_UNKNOWN
 */
export function byJwtSubject<S extends HttpRequest>(
  options: JwtSubjectOptions<S> = {},
): (subject: S) => MaybePromise<Key> {
  const reader = readIdentityOptions('byJwtSubject', options, ['from', 'otherwise']);
  const from = reader.function('from', options.from);
  const otherwise = otherwiseOf(reader, options);
  if (from) return (subject) => chain(from(subject), (verified) => identityOf(verified) ?? otherwise(subject));
  return (subject) => {
    const { auth, user } = subject;
    const identity = identityOf(auth) ?? identityOf(user);
    if (identity === undefined && (isObject(auth) || isObject(user))) warnOfOtherUsers();
    return identity ?? otherwise(subject);
  };
}

/** Some leave the claims, others the whole token, header and signature beside its payload. */
function identityOf(verified: unknown): Key | undefined {
  return identityIn(verified) ?? identityIn(member(verified, 'payload'));
}

function identityIn(claims: unknown): Key | undefined {
  const subject = textOf(member(claims, 'sub'));
  const issuer = issuerIn(claims);
  // Two issuers may have a subject of one name.
  return subject === undefined || issuer === undefined ? undefined : { kind: 'jwt-subject', parts: [issuer, subject] };
}

/** A token need not say who has issued it. One that says it in no text identifies nobody. */
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

function warnOfOtherUsers(): void {
  warn(
    'SLUICE_JWT_WITHOUT_SUBJECT',
    "byJwtSubject: a caller was authenticated, and neither auth nor user of the request has the claim sub, so that otherwise is asked: give the claims by from, or use by('user', ...)",
  );
}
