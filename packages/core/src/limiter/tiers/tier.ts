import type { PolicyOptions } from '../../algorithms/policy-options.js';
import type { Duration } from '../../model/duration.js';
import type { Key } from '../../model/identity.js';
import type { MaybePromise } from '../../async/maybe-promise.js';
import type { OnStoreFailure } from '../../model/on-store-failure.js';

/** A named policy plus the key it applies to. `S` is the subject: what its functions are given. */
export type Tier<S> = TierPolicy<S> & TierOptions<S>;

export interface TierOptions<S> {
  /**
   * Names the tier in keys, headers and decisions: printable ASCII without `{ } " \ %`, at most 64 characters. May be
   * left out for the only tier of a limiter with a store of its own.
   *
   * @default 'default'
   */
  name?: string;
  /** Whose budget is spent. Returning nothing is an error: a missing identity is never "no limit". */
  key: (subject: S) => MaybePromise<Key>;
  /**
   * Units that a request takes of this tier, whatever the request's own cost is. A function may return 0, which reads
   * without charging.
   *
   * @default the cost of the request
   */
  cost?: number | ((subject: S) => MaybePromise<number>);
  /**
   * `'shadow'` answers and counts and never denies: to try a limit before it is enforced.
   *
   * @default 'enforce'
   */
  mode?: 'enforce' | 'shadow';
  /**
   * Charges this tier for every request, denied ones too, at most up to full: for logins, where each try counts.
   *
   * @default false
   */
  countDenied?: boolean;
  /**
   * Text to keep with the key of an admitted request, for `inspect`: at most 64 bytes of each (the rest is cut off) and
   * the newest 20. It is stored as it is: keep out of it what must not be stored.
   */
  record?: (subject: S) => MaybePromise<string | undefined>;
  /**
   * Charges units ahead for keys that are asked for often, and spends them in this process: a hot key asks the store
   * once for many requests. At most `max` units are in hand at a time; what is not spent within `horizon` is given back.
   * In the long run no more is admitted than the limit; in any window at most `max` units more for each process. For
   * fixed-window, sliding-window and token-bucket.
   */
  lease?: { max: number; horizon: Duration };
  /**
   * What becomes of this tier while the store cannot answer.
   *
   * @default what its limiter says
   */
  onStoreFailure?: OnStoreFailure;
}

/**
 * Units that a window allows; a function may return another number for each subject, 0 for never, or null where the
 * tier does not apply.
 */
export type Limit<S> = number | ((subject: S) => MaybePromise<number | null>);

/** The options of any algorithm, with a limit that may depend on the subject. */
export type TierPolicy<S> = OnlyItsOwn<PolicyOptions<Limit<S>>>;

// An algorithm that need not be named cannot be told by its name, so the options of the others are ruled out.
type OnlyItsOwn<Options> = Options extends { algorithm: string } ? Options : Options & Without<PolicyOptions, Options>;

type Without<Others, Options> = { [Name in Exclude<NameOf<Others>, keyof Options>]?: never };

/** The names of the options of any member of a union. */
export type NameOf<Options> = Options extends unknown ? keyof Options : never;

export const TIER_OPTIONS = [
  'name',
  'key',
  'cost',
  'mode',
  'countDenied',
  'record',
  'lease',
  'onStoreFailure',
] as const;
