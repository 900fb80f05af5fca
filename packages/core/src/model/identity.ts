/** What a budget belongs to: a client, an account, an API key. Only a digest of it leaves the limiter. */
export interface Identity {
  /** `ip`, `api-key`, `jwt-subject`. Identities of different kinds never share a budget. */
  readonly kind: string;
  /** The values of the identity. Their boundaries count: `['a', 'bc']` is not `['ab', 'c']`. */
  readonly parts: readonly string[];
}

/** What a `key` function returns: a text, a whole number, or an identity with a kind of its own. */
export type Key = string | number | bigint | Identity;
