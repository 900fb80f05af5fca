/**
 * What is lost with a key. Counts, permits and recorded texts matter to the tier that they belong to: where no tier has their shape,
 * nothing is lost.
 */
export const KEY_LOSSES = {
  nothing: 'nothing: it is written again',
  counts: 'counts begin again',
  texts: 'the texts recorded with a client',
  credits: 'units that a client has paid for',
  usage: 'units that may not be on a bill yet',
  limits: 'limits that operators have set',
  history: 'versions of the limits, to go back to',
  addresses: 'the addresses on a list',
} as const;

export type KeyLoss = keyof typeof KEY_LOSSES;

/**
 * One kind of key in Redis. The room that writes it describes it, and tools read no other description: `sluice keys`, `doctor`,
 * `explain` and `forget`.
 */
export interface KeyKind {
  /** In tables of tools, such as `balance`. */
  readonly name: string;
  /**
   * What follows the prefix and its colon. `<owner>` is the digest of an identity in braces, or of its partition and then of the
   * identity; `<tier>` is the name of a tier, `<shape>` its shape, and `<hash>` the end of a shape; `<name>`, `<process>` and
   * `<tag>` are any texts without braces.
   */
  readonly pattern: string;
  readonly type: 'hash' | 'list' | 'set' | 'string' | 'zset';
  /** Set where a key may have no expiry. */
  readonly stays?: true;
  readonly loss: KeyLoss;
  /** Set where an earlier version has written it, and this one only reads it. */
  readonly former?: true;
  /** Of states of tiers. */
  readonly code?: string;
}
