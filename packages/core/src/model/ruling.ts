/** What an algorithm says of one claim: integers, times in the policy's ticks. The Lua twin replies with the same. */
export interface Ruling {
  /** Units that were charged. */
  readonly charged: number;
  /** The limit that is shown. */
  readonly limit: number;
  /** Whole units left. */
  readonly remaining: number;
  /** Ticks until the claim fits if nobody else spends; 0: it fits; NEVER: it cannot. */
  readonly retryAfter: number;
  /** Ticks until one more unit is left; 0: none is missing. */
  readonly replenishAfter: number;
  /** Ticks until nothing is used. */
  readonly resetAfter: number;
  /** Ticks that the caller has to wait before it goes on (leaky queue). */
  readonly delay: number;
}

export const NEVER = -1;
