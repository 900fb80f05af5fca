import { chain, FUNCTION, isPromise, type Key, type KeyFunction, type MaybePromise } from '@sluice/core/internal';
import { visitOf, type Visit } from '../visits/visit.js';
import type { HttpRequest } from '../request/request.js';
import { byIp } from './ip.js';
import { LateIdentityCheck, type IdentitySource } from './late-identity-check.js';

export interface Otherwise<S> {
  /**
   * Identifies a subject without this identity: a missing identity is never "no limit".
   *
   * @default byIp()
   */
  otherwise?: KeyFunction<S>;
}

export const OTHERWISE_ROWS = { otherwise: FUNCTION };

export function otherwiseOf<S extends HttpRequest>({ otherwise = byIp<S>() }: Otherwise<S>): KeyFunction<S> {
  return otherwise;
}

/** Tells tools which identities a key function returns, where that of `otherwise` tells it too. */
export function ofKind<F extends object>(key: F, kind: string, { kinds }: Pick<KeyFunction<never>, 'kinds'>): F {
  return kinds === undefined ? key : Object.assign(key, { kinds: [kind, ...kinds] });
}

/** A key function that takes `otherwise` for all other subjects, and warns if its source is always too late. */
export function identifyBy<S extends HttpRequest, T>(
  source: IdentitySource<S, T>,
  otherwise: KeyFunction<S>,
): KeyFunction<S> {
  const { read, identityOf, kind } = source;
  const check = new LateIdentityCheck(source);
  const identify = (value: T, subject: S, visit: Visit | undefined): MaybePromise<Key> => {
    const identity = identityOf(value);
    if (identity !== undefined) {
      check.end();
      return identity;
    }
    check.miss(subject, visit);
    return otherwise(subject);
  };
  const key = (subject: S): MaybePromise<Key> => {
    // Before an await, after which the gate may not be found.
    const visit = check.isOver ? undefined : visitOf(subject);
    const value = read(subject);
    return isPromise(value) ? chain(value, (each) => identify(each, subject, visit)) : identify(value, subject, visit);
  };
  return ofKind(key, kind, otherwise);
}
