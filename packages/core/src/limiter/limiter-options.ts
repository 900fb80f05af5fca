import { algorithmName } from '../algorithms/policy-options.js';
import { ConfigError } from '../model/errors.js';
import type { Key } from '../model/identity.js';
import type { MaybePromise } from '../async/maybe-promise.js';
import { ON_STORE_FAILURE, type OnStoreFailure } from '../model/on-store-failure.js';
import { show } from '../options/option-reader.js';
import type { Store } from '../stores/store.js';
import { readTierOptions } from './tiers/tier-options.js';
import type { TierDefaults } from './tiers/tier-context.js';
import type { NameOf, Tier } from './tiers/tier.js';

/** Tiers, or plans: a function that returns arrays of tiers, which exist once. Or one tier, in short. */
export type LimiterOptions<S> = SharedLimiterOptions<S> &
  (({ tiers: Tiers<S> } & { [Name in OfTiers<S>]?: never }) | (Tier<S> & { tiers?: never }));

/** The names of options that stand inside `tiers`, where there are any. */
type OfTiers<S> = Exclude<NameOf<Tier<S>>, keyof SharedLimiterOptions<S>>;

export type Tiers<S> = readonly Tier<S>[] | ((subject: S) => MaybePromise<readonly Tier<S>[]>);

export interface SharedLimiterOptions<S> {
  /** Where state is kept. @default a memory store of its own */
  store?: Store;
  /**
   * Groups keys: those of one partition lie in one slot of a Cluster and are decided together there. Without it each
   * identity is a partition of its own.
   */
  partition?: (subject: S) => MaybePromise<Key>;
  /** What all keys begin with. @default 'rl' */
  prefix?: string;
  /**
   * What becomes of requests while the store cannot answer. `local`: this process limits alone. `allow`: they go on
   * unlimited. `deny`: they are answered 503. A tier may say otherwise for itself.
   *
   * @default 'local'
   */
  onStoreFailure?: OnStoreFailure;
  /**
   * The part of every limit that this process allows while it limits alone, above 0 and at most 1: `1 / 3` for one of
   * three processes. A part of a unit counts as a whole one.
   *
   * @default 1
   */
  share?: number;
  /**
   * Whether this process remembers for how long a key is denied, for a minute at most, and does not ask the store until
   * then. Units that another process gives back are seen that much later.
   *
   * @default true
   */
  denyCache?: boolean;
  /** Makes the digests of identities in keys impossible to guess (HMAC-SHA-256). Set it where Redis is shared. */
  secret?: string;
}

const SHARED = ['store', 'partition', 'prefix', 'secret', 'onStoreFailure', 'share', 'denyCache'];

/** Where a limiter is made for something that has options of its own, such as a gate. */
export interface LimiterContext<S> extends TierDefaults<S> {
  /** Names of options that are not the limiter's, and stand among its own. */
  readonly alsoAllowed?: readonly string[] | undefined;
}

/** Checks what is not about tiers. @throws ConfigError */
export function checkLimiterOptions<S>(options: LimiterOptions<S>, alsoAllowed: readonly string[] = []): void {
  if (typeof options !== 'object' || options === null) {
    throw new ConfigError(
      'OPTION_INVALID',
      'options',
      options,
      `limiter: options must be an object, got ${show(options)}`,
    );
  }
  const reader = readTierOptions('limiter', options, algorithmName(options, 'limiter'), [
    ...SHARED,
    'tiers',
    ...alsoAllowed,
  ]);
  const beside = Object.keys(options).find(
    (name) => ![...SHARED, 'tiers', ...alsoAllowed].includes(name) && reader.has(name),
  );
  if (reader.has('tiers') && beside !== undefined) {
    throw reader.fail('OPTION_INVALID', beside, 'belongs to a tier: write it inside tiers, or leave tiers out');
  }
  const { store, partition, prefix = 'rl', secret, share = 1 } = options;
  if (store !== undefined && (typeof store?.consume !== 'function' || 'settle' in store)) {
    throw reader.fail('OPTION_INVALID', 'store', 'must be a store, such as memoryStore() or redisStore(client)');
  }
  if (partition !== undefined && typeof partition !== 'function') {
    throw reader.fail('OPTION_INVALID', 'partition', 'must be a function of the subject');
  }
  reader.choice('denyCache', [true, false], true);
  reader.choice('onStoreFailure', ON_STORE_FAILURE, 'local');
  if (typeof share !== 'number' || !(share > 0 && share <= 1)) {
    throw reader.fail('OPTION_INVALID', 'share', 'must be a number above 0 and at most 1, such as 1 / 3');
  }
  if (typeof prefix !== 'string' || !/^[\x21-\x7e]{1,32}$/.test(prefix) || /[{}]/.test(prefix)) {
    throw reader.fail(
      'OPTION_INVALID',
      'prefix',
      'must be 1 to 32 printable ASCII characters without braces and spaces',
    );
  }
  if (secret !== undefined && (typeof secret !== 'string' || secret === '')) {
    // The value is not shown: it is a secret, or was meant to be one.
    throw new ConfigError('OPTION_INVALID', 'secret', undefined, 'limiter: secret must be a non-empty text');
  }
}
