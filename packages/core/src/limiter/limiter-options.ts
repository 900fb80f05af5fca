import { algorithmOption } from '../algorithms/named/policy-options.js';
import type { MaybePromise } from '../async/maybe-promise.js';
import type { Key } from '../model/identity.js';
import { ON_STORE_FAILURE, type OnStoreFailure } from '../model/claim.js';
import { checkObject } from '../options/option-reader.js';
import { ANY, type OptionRows } from '../options/option-row.js';
import { isOpenStore } from '../stores/closing.js';
import type { Store } from '../stores/store.js';
import type { OnNotice } from './tiers/tier-feature.js';
import type { Tiers } from './tiers/plans.js';
import type { TierDefaults } from './tiers/tier-context.js';
import { readTierOptions } from './tiers/read-tier-options.js';
import type { NameOf, Tier } from './tiers/tier.js';

/** Options of the limiter with `tiers`, or with the options of its only tier. */
export type LimiterOptions<S> = SharedLimiterOptions<S> &
  // With `tiers`, the options of a tier belong inside them.
  (
    | ({ tiers: Tiers<S> } & KnownPlans<Tier<S>> & {
          [Name in Exclude<NameOf<Tier<S>>, keyof SharedLimiterOptions<S>>]?: never;
        })
    | (Tier<S> & { tiers?: never; plans?: never })
  );

export interface KnownPlans<T> {
  /**
   * All arrays that the function `tiers` returns. They are then checked at the start, and operators see their tiers before
   * a request has used them.
   *
   * @default each array is known from its first request on
   */
  plans?: readonly (readonly T[])[];
}

export interface SharedLimiterOptions<S> {
  /**
   * Stores the state of all keys.
   *
   * @default a memory store of this limiter alone
   */
  store?: Store;
  /**
   * Groups keys: all keys of a partition share a slot of a Redis Cluster and are decided together there.
   *
   * @default each identity is a partition of its own
   */
  partition?: (subject: S) => MaybePromise<Key>;
  /**
   * The first part of all keys: 1 to 32 printable ASCII characters without braces and spaces.
   *
   * @default 'rl'
   */
  prefix?: string;
  /**
   * What to do while the store is unavailable. `local`: limit in this process alone. `allow`: admit all requests.
   * `deny`: answer 503. A tier may choose for itself.
   *
   * @default 'local'
   */
  onStoreFailure?: OnStoreFailure;
  /**
   * The part of every limit that this process allows while it limits alone, above 0 and at most 1: `1 / 3` for one of
   * three processes. The result is rounded up to a whole unit.
   *
   * @default 1
   */
  share?: number;
  /**
   * Caches denials in this process until `retryAfter`, for at most a minute, and answers them without the store. Units
   * that another process refunds are seen that much later.
   *
   * @default true
   */
  denyCache?: boolean;
  /**
   * Is called for each notice of tiers with `notices`, in the process whose charge has reached the mark. An error in it
   * does not fail the request.
   *
   * @default none: only subscribers of `sluice:notice` get notices
   * @example onNotice: ({ label, mark }) => mails.send(label, `${mark * 100} % of your month are used`)
   */
  onNotice?: OnNotice;
  /**
   * Makes the digests of identities in keys impossible to guess (HMAC-SHA-256). Set it if others can read the store.
   *
   * @default plain SHA-256
   */
  secret?: string;
}

export const LIMITER_ROWS = {
  store: { is: isOpenStore, words: 'a store, such as memoryStore() or redisStore({ url })' },
  partition: { is: 'function', words: 'a function of the subject' },
  prefix: {
    is: /^(?!.*[{}])[\x21-\x7e]{1,32}$/,
    words: '1 to 32 printable ASCII characters without braces and spaces',
  },
  secret: { is: /./s, words: 'a non-empty text' },
  onStoreFailure: { oneOf: ON_STORE_FAILURE },
  share: {
    is: (share) => typeof share === 'number' && share > 0 && share <= 1,
    words: 'a number above 0 and at most 1, such as 1 / 3',
  },
  denyCache: { oneOf: [true, false] },
  onNotice: { is: 'function', words: 'a function of the notice' },
  tiers: ANY,
  plans: { is: 'array', words: 'an array of all arrays that tiers returns, such as [free, pro]' },
} as const satisfies OptionRows;

export const SEVERAL = ': several limits are tiers: [{ … }, { … }]';

/** What surrounds a limiter that is part of something else, such as a gate. */
export interface LimiterContext<S> extends TierDefaults<S> {
  /** The function that was called with the options: the first words of error messages. */
  readonly owner: string;
  /** Options that are not the limiter's, and may stand among its own. */
  readonly alsoAllowed?: OptionRows | undefined;
}

/** Checks all options but those of tiers. @throws ConfigError */
export function checkLimiterOptions<S>(
  options: LimiterOptions<S>,
  { owner, alsoAllowed = {} }: LimiterContext<S>,
): void {
  checkObject(owner, options, SEVERAL);
  const ours = { ...LIMITER_ROWS, ...alsoAllowed };
  const reader = readTierOptions(owner, options, algorithmOption(options, owner), ours);
  const misplaced = Object.keys(options).find((name) => !(name in ours) && reader.has(name));
  if (reader.has('tiers') && misplaced !== undefined) {
    throw reader.fail('OPTION_INVALID', misplaced, 'belongs to a tier: write it inside tiers, or leave tiers out');
  }
  if (reader.has('plans') && typeof options.tiers !== 'function') {
    throw reader.fail('OPTION_INVALID', 'plans', 'belongs beside a function as tiers, which chooses one of them');
  }
  reader.read(LIMITER_ROWS);
}
