import type { PeriodStart } from '../../algorithms/named/algorithms.js';
import type { PolicyOptions } from '../../algorithms/named/policy-options.js';
import type { MaybePromise } from '../../async/maybe-promise.js';
import type { Duration } from '../../model/duration.js';
import type { TierValue } from '../../model/feature.js';
import type { TIER_VALUES } from '../../options/imported-value.js';
import type { Charging, OnStoreFailure } from '../../model/claim.js';
import type { KeyFunction } from '../keys/key-function.js';
import type { Fair } from './fair.js';
import type { Share } from './stage.js';

/**
 * A named policy and the key that it applies to. `S` is the subject: the argument of all functions of the tier.
 *
 * @example { name: 'user-hour', key: ({ user }) => user, limit: 5_000, window: '1h' }
 */
export type Tier<S> = TierPolicy<S> & TierOptions<S> & TierKey<S>;

/** Values that a program imports. */
export type ImportedValues<S> = { -readonly [Name in keyof typeof TIER_VALUES]?: TierValue<Name, S> | undefined };

export interface TierOptions<S> extends ImportedValues<S> {
  /**
   * Names the tier in keys, headers and decisions: 1 to 64 printable ASCII characters without `{ } " \ %`. The only
   * tier of a limiter without `store` needs none.
   *
   * @default 'default'
   */
  name?: string;
  /**
   * Units that a request takes of this tier. A function may return 0, which reads without charging.
   *
   * @default the cost of the request
   */
  cost?: number | ((subject: S) => MaybePromise<number>);
  /**
   * What the units of this tier are, for the headers of OpenAI: 1 to 32 lower-case letters, digits and hyphens.
   *
   * @default 'requests'
   * @example unit: 'tokens'
   */
  unit?: string;
  /**
   * What to do with a request that costs more than the tier can ever hold. `'never'`: the request never fits. `'all'`: it requests
   * all of the budget, as clients do that reserve the longest answer of a language model.
   *
   * @default 'never'
   */
  aboveFull?: 'never' | 'all';
  /**
   * `'shadow'` decides and charges and never denies: it tries a limit before it is enforced. `'demote'` does the same, and a
   * request that it would deny is the first that the option `shed` of its gate refuses under overload. `'off'`: the tier applies
   * to no request, and is there to be turned on again.
   *
   * @default 'enforce'
   */
  mode?: 'enforce' | 'shadow' | 'demote' | 'off';
  /**
   * The part of all identities that the tier is enforced for; it is in shadow for the others. A wider part has all identities
   * of a narrower one.
   *
   * @default all
   * @example enforce: '10%'
   */
  enforce?: Share;
  /**
   * Which requests this tier charges. `'admitted'`: those that all tiers admit. `'all'`: denied ones too, at most up to full.
   * `'denied'`: those that another tier denies, which makes a `backoff` tier a ban.
   *
   * @default 'admitted'
   */
  charge?: Charging;
  /**
   * Text to store with the key of an admitted request, for `inspect`: the first 64 bytes of each, and the newest 20. It
   * is stored as it is, so leave out everything that must not be stored.
   *
   * @default no text
   */
  record?: (subject: S) => MaybePromise<string | undefined>;
  /**
   * Text that operators may see for the identity, such as a customer's number: the first 64 bytes. Only `tracksOf` reads
   * it, in this process, and a notice has it. It is in no other event, JSON or header, and in a store only with `usage`: the last
   * one is stored with the usage, unchanged, and rows of an export have it.
   *
   * @default no text
   */
  label?: (subject: S) => MaybePromise<string | undefined>;
  /**
   * Charges up to `units` ahead for keys with many requests, and spends them in this process: one call to the store
   * serves many requests. Units that are not spent within `duration` are refunded. Over time no more is admitted than
   * the limit; any one window may admit `units` more for each process. For fixed-window, sliding-window, token-bucket.
   *
   * @default no lease
   */
  lease?: { units: number; duration: Duration };
  /**
   * What to do while the store is unavailable.
   *
   * @default `onStoreFailure` of the limiter
   */
  onStoreFailure?: OnStoreFailure;
}

export interface TierKey<S> {
  /**
   * Identifies the client whose budget the request uses: text, a whole number, or a ready identity such as `byApiKey()`.
   * A missing identity is an error, never "no limit".
   *
   * @example key: ({ user }) => user.id
   */
  key: KeyFunction<S>;
}

/** Units that a window allows. */
export type Limit<S> = number | LimitFunction<S>;

/** Returns the units of a subject: 0 for "never", null where the tier does not apply. */
export interface LimitFunction<S> {
  (subject: S): MaybePromise<number | null>;
  /**
   * What it returns, by the names of plans: operators see it, and name the plan of a client. `@sluice/policies` sets it.
   *
   * @default not known
   */
  readonly plans?: Readonly<Record<string, number | null>>;
}

/** The first day of a period. A function gives each subject its own. */
export type Start<S> = PeriodStart | ((subject: S) => MaybePromise<PeriodStart>);

/** The options of any algorithm, with a limit that may depend on the subject. */
export type TierPolicy<S> = OnlyItsOwn<PolicyOptions<Limit<S>, Start<S>, Fair<S>>>;

// The default algorithm has no name that would exclude the options of the others.
type OnlyItsOwn<Options> = Options extends { algorithm: string } ? Options : Options & Without<PolicyOptions, Options>;

type Without<Others, Options> = { [Name in Exclude<NameOf<Others>, keyof Options>]?: never };

/** The names of the options of any member of a union. */
export type NameOf<Options> = Options extends unknown ? keyof Options : never;
