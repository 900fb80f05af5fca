/** What an algorithm decides about one claim. Integers; times in the policy's ticks. The Lua twin replies with the same. */
export interface Ruling {
  /** Units charged. */
  readonly charged: number;
  /** The limit that clients see. */
  readonly limit: number;
  /** Whole units left. */
  readonly remaining: number;
  /** Ticks until the claim fits if nothing else is charged. 0: it fits. NEVER: it cannot. */
  readonly retryAfter: number;
  /** Ticks until one more unit is left. 0 for a full budget. */
  readonly replenishAfter: number;
  /** Ticks until the budget is full. */
  readonly resetAfter: number;
  /** Ticks until the request may go on (leaky-bucket queue). */
  readonly delay: number;
  /** What an undo restores: the strikes that the claim found. Only of a backoff. */
  readonly before?: number;
}

export const NEVER = -1;
