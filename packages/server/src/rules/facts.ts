import type { Identity, Key } from '@sluice/core';

/** What is known of a request that another program serves. Key functions of the middleware read it as their request. */
export interface Facts {
  readonly ip?: string | undefined;
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The claims of a token that its program has verified: `{ iss, sub }`. */
  readonly auth?: unknown;
  readonly user?: unknown;
  readonly sessionID?: string | undefined;
  /** Identities by the names of keys in the file that are not Sluice's own. */
  readonly identities?: Readonly<Record<string, Key>> | undefined;
  readonly plan?: string | undefined;
  /** The entries of the descriptor, for key functions of a program. */
  readonly entries?: Readonly<Record<string, string>> | undefined;
}

/** Whether two descriptors can be one request: they agree about all that both say. */
export function agree(one: Facts, other: Facts): boolean {
  return (
    same(one.ip, other.ip) &&
    same(one.sessionID, other.sessionID) &&
    same(one.plan, other.plan) &&
    sameMembers(one.headers, other.headers) &&
    sameMembers(one.auth as Members, other.auth as Members) &&
    sameMembers(one.identities, other.identities) &&
    sameMembers(one.entries, other.entries)
  );
}

/** The facts of both. */
export function joined(one: Facts, other: Facts): Facts {
  return {
    ...one,
    ...other,
    ...both('headers', one, other),
    ...both('auth', one, other),
    ...both('identities', one, other),
    ...both('entries', one, other),
  };
}

type Members = Readonly<Record<string, unknown>> | undefined;

function both(name: 'headers' | 'auth' | 'identities' | 'entries', one: Facts, other: Facts): Partial<Facts> {
  if (one[name] === undefined && other[name] === undefined) return {};
  return { [name]: { ...(one[name] as object), ...(other[name] as object) } };
}

function same(one: string | undefined, other: string | undefined): boolean {
  return one === undefined || other === undefined || one === other;
}

function sameMembers(one: Members, other: Members): boolean {
  if (one === undefined || other === undefined) return true;
  return Object.entries(one).every(([name, value]) => {
    const second = other[name];
    return second === undefined || textOf(value) === textOf(second);
  });
}

function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const { kind, parts } = value as Identity;
  return JSON.stringify([kind, parts]);
}
