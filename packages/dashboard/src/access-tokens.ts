import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { ConfigError } from '@sluice/core';
import { isLine } from '@sluice/metrics/operations';
import { ROLES, type Caller, type Role } from './api/role.js';
import type { Mounted } from './mounted.js';

/** What lets a program or a person in, without a user of the application. */
export interface AccessToken {
  /** The name of its owner, for the audit: 1 to 100 characters, once. */
  readonly name: string;
  /** `read` sees. `support` also changes limits with an end, credits, and forgets. `admin` may do all. */
  readonly role: Role;
  /** 24 to 200 of `A-Z`, `a-z`, `0-9`, `_`, `.`, `~` and `-`: write 24 random bytes in base64url. */
  readonly token?: string;
  /** Its SHA-256 in hexadecimal, in place of `token`: then the program does not know it. */
  readonly sha256?: string;
}

interface KnownToken {
  readonly caller: Caller;
  readonly digest: Buffer;
}

const TEXT = String.raw`[\w.~-]{22,200}`;
const EXAMPLE = "{ name: 'desk', role: 'support', sha256: process.env.DESK_TOKEN_SHA256 }";

/** Knows callers by tokens: as `Authorization: Bearer`, or in the cookie of a page that was opened by a link with it. */
export class AccessTokens {
  readonly #known: readonly KnownToken[];

  constructor(known: readonly KnownToken[]) {
    this.#known = known;
  }

  /** Undefined without a token that is known. */
  callerOf({ headers, rawHeaders, socket }: IncomingMessage): Caller | undefined {
    const { authorization = '', cookie = '' } = headers;
    // Node takes the first of several, and a proxy that has checked one may have taken another.
    const isHeader = (name: string, index: number) => index % 2 === 0 && /^authorization$/i.test(name);
    if (rawHeaders.filter(isHeader).length > 1) return undefined;
    if (/^Bearer /i.test(authorization))
      return this.#callerBy(new RegExp(`^Bearer (${TEXT})$`, 'i').exec(authorization)?.[1]);
    return this.#callerBy(new RegExp(`(?:^|; )${cookieName(socket.localPort)}=(${TEXT})(?:;|$)`).exec(cookie)?.[1]);
  }

  /** The token of a link that a request has opened. */
  linkIn({ request, path, query }: Mounted): string | undefined {
    if (request.method !== 'GET' || path !== '/') return undefined;
    const text = new RegExp(`(?:^|&)token=(${TEXT})(?:&|$)`).exec(query)?.[1];
    return this.#callerBy(text) === undefined ? undefined : text;
  }

  /** Compares with all, in a time that tells nothing of them. */
  #callerBy(text: string | undefined): Caller | undefined {
    if (text === undefined) return undefined;
    const digest = digestOf(text);
    return this.#known.filter((each) => timingSafeEqual(each.digest, digest))[0]?.caller;
  }
}

/** Without a path, because a proxy may have removed a prefix: browsers take the folder of the link. */
export function tokenCookie({ socket }: IncomingMessage, text: string): string {
  const secure = (socket as TLSSocket).encrypted ? '; Secure' : '';
  return `${cookieName(socket.localPort)}=${text}; HttpOnly; SameSite=Strict${secure}`;
}

export function knownToken(caller: Caller, text: string): KnownToken {
  return { caller, digest: digestOf(text) };
}

/** The tokens of the option. No message shows one. @throws ConfigError */
export function readTokens(given: unknown): AccessTokens {
  if (!Array.isArray(given) || given.length === 0) throw invalid(`must be an array of tokens, such as [${EXAMPLE}]`);
  const tokens = (given as unknown[]).map(readToken);
  // A reader of the audit would take names for one that look alike.
  const names = tokens.map(({ caller }) => caller.by!.normalize('NFKC').trim().toLowerCase());
  if (new Set(names).size < tokens.length) {
    throw invalid('must have each name once, whatever its case, because the audit knows a token by its name');
  }
  if (new Set(tokens.map(({ digest }) => digest.toString('hex'))).size < tokens.length) {
    throw invalid('must have each token once, because it has one name and one role');
  }
  return new AccessTokens(tokens);
}

function readToken(given: unknown, index: number): KnownToken {
  const { name, role, token, sha256 } = Object(given) as Partial<AccessToken>;
  const fail = (rule: string) => invalid(rule, `[${index}]`);
  if (!isLine(name, 100)) {
    throw fail(`must have a name of 1 to 100 characters on one line, such as ${EXAMPLE}`);
  }
  if (role === undefined || !ROLES.includes(role)) throw fail(`must have a role, which is one of ${ROLES.join(', ')}`);
  if ((token === undefined) === (sha256 === undefined)) throw fail('must have either token or sha256');
  const caller = { by: name, role };
  if (sha256 !== undefined) {
    if (/^[\da-f]{64}$/i.test(sha256)) return { caller, digest: Buffer.from(sha256, 'hex') };
    throw fail('sha256 must be 64 hexadecimal digits: write sha256sum of the token, without a line feed');
  }
  if (typeof token === 'string' && /^[\w.~-]{24,200}$/.test(token)) return knownToken(caller, token);
  throw fail('token must be 24 to 200 of A-Z, a-z, 0-9, _, ., ~ and -: write 24 random bytes in base64url');
}

function invalid(rule: string, place = ''): ConfigError {
  return new ConfigError('OPTION_INVALID', 'tokens', undefined, `createDashboard: tokens${place} ${rule}`);
}

/** Browsers send a cookie to all ports of a host, so processes need names of their own. */
function cookieName(port: number | undefined): string {
  return `sluice-dashboard-${port ?? 'socket'}`;
}

function digestOf(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
