/** What a claim requested, and how it was decided. */
export interface ClaimResult {
  readonly cost: number;
  /** Units that were charged. */
  readonly charged: number;
  /** Ticks to wait; 0: it fitted; NEVER: it cannot. */
  readonly retryAfter: number;
  /** The stored state that it found. */
  readonly stored?: unknown;
}
