/** What a budget belongs to: a client, an account, an API key. Only a digest of it leaves the limiter. */
export interface Identity {
  /** `ip`, `api-key`, `jwt-subject`. Identities of different kinds never share a budget. */
  readonly kind: string;
  /** The values of the identity. Their boundaries count: `['a', 'bc']` is not `['ab', 'c']`. */
  readonly parts: readonly string[];
}

/** What a `key` function returns: a string, a whole number, or an identity with a kind of its own. */
export type Key = string | number | bigint | Identity;

export interface TierChoice {
  /** Names of tiers. @default all */
  tiers?: readonly string[] | undefined;
}

export interface InspectOptions extends TierChoice {
  /** Units that the next request would take. @default 1 */
  cost?: number | undefined;
}

/** What an operator knows of an identity, beside its key. */
export interface IdentityOptions {
  /** The identity of its partition, for a limiter with `partition`. */
  partition?: Key | undefined;
  /** Its limit, for tiers whose limit is a function, or that plans give several limits. */
  limit?: number | undefined;
}
