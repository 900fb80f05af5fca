import type { IdentityDigest } from '../model/identity-digest.js';
import type { IdentityOptions, Key } from '../model/identity.js';
import type { Budgets } from '../model/inspection.js';
import type { Override } from '../model/override.js';
import type { Policy } from '../model/policy.js';
import { companion } from '../model/companion.js';
import { keyspaceOf } from './keyspace.js';
import type { Store } from './store.js';

/** A limiter as operators see it. */
export interface LimiterView {
  /** The beginning of its keys. */
  readonly prefix: string;
  /** Largest first. Of plans those of the option `plans`, and those that have decided a request, each name once. */
  readonly tiers: readonly TierView[];
  /** There may be tiers beside `tiers`: a function chooses them by request, and the option `plans` does not list them. */
  readonly hasOtherTiers: boolean;
  /** The limiter has `partition`: `of` needs the partition of an identity. */
  readonly isPartitioned: boolean;
  /** The limiter has a `secret`. Without one an address can be guessed from its digest. */
  readonly isKeyed: boolean;
  /** The digest in the keys of an identity: 22 characters. */
  digestOf(identity: Key): string;
  /**
   * `of` of the limiter. It takes the digest of an identity too, as keys and `tracksOf` have it.
   *
   * @example
   * const [limiter] = limitersOf(store);
   * const [{ fitsAt, terms }] = await limiter.of(byIp()({ ip: '203.0.113.7' })).inspect();
   */
  of(identity: Key | IdentityDigest, options?: IdentityOptions): Budgets;
  /** Limits of single identities that are in force. `overridesOf` changes them. */
  readonly overrides: readonly Override[];
}

export interface TierView {
  readonly name: string;
  /** Decides and never denies. */
  readonly shadow: boolean;
  /** Of a limit function: all its numbers but the limit are those of every request. */
  readonly policy: Policy;
  /** `by-request`: a function returns it, or plans give the name several limits. */
  readonly limit: number | 'by-request';
  /** The kinds of the identities that it counts by. Absent where only the application knows them. */
  readonly kinds?: readonly string[];
  /** The limits by the names of plans, where a function returns one of them. */
  readonly plans?: Readonly<Record<string, number | null>>;
}

/** A tier as limiters of its store compare theirs with it. */
export interface NamedTier {
  readonly name: string;
  readonly policy: Policy;
  /** A number or a function. */
  readonly limit: unknown;
}

export interface ListedLimiter {
  /** Its tiers that are known. None with another prefix. */
  tiersIn(prefix: string): readonly NamedTier[];
}

const limiters = companion<object, Set<WeakRef<ListedLimiter>>>('limiters');
const keyspaceByLimiter = companion<object, object>('limiter-budgets');
const limiterByView = companion<object, object>('limiter-views');

/** Lists a limiter as long as the application uses it. Returns what ends that. */
export function registerLimiter(store: Store, limiter: ListedLimiter): () => void {
  const keyspace = keyspaceOf(store);
  const known = limiters.get(keyspace) ?? new Set();
  const reference = new WeakRef(limiter);
  limiters.set(keyspace, known.add(reference));
  keyspaceByLimiter.set(limiter, keyspace);
  return () => void known.delete(reference);
}

/** True for a limiter of a store. */
export function isLimiterOf(store: Store, limiter: object): boolean {
  return keyspaceByLimiter.get(limiter) === keyspaceOf(store);
}

/** Says which limiter a view shows. */
export function setView(view: LimiterView, limiter: object): void {
  limiterByView.set(view, limiter);
}

/** Those that are neither closed nor collected. */
export function livingLimiters(store: Store): readonly ListedLimiter[] {
  const known = limiters.get(keyspaceOf(store)) ?? new Set();
  return [...known].flatMap((reference) => {
    const limiter = reference.deref();
    // Each new limiter of the store asks, so that references of collected ones do not add up.
    if (limiter === undefined) known.delete(reference);
    return limiter ?? [];
  });
}

/** The limiter that is shown by a view, or is given itself. Undefined for anything else. */
export function limiterOf(given: object): object | undefined {
  return limiterByView.get(given) ?? (keyspaceByLimiter.has(given) ? given : undefined);
}
