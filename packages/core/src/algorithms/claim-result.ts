/** What a claim requested, and how it was decided. */
export interface ClaimResult {
  readonly cost: number;
  /** Units that were charged. */
  readonly charged: number;
  /** The ticks to wait: 0 if the claim fitted, and NEVER if it cannot fit. */
  readonly retryAfter: number;
  /** The stored state that it found. */
  readonly stored?: unknown;
}
