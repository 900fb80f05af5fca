import type { Ruling } from '@sluice/core/internal';

/** The ruling on a claim that stands in line. */
export interface LinedRuling extends Ruling {
  /** Ticks until its place. Undefined for a claim that fits, and without a store that has the line. */
  readonly told?: number;
  /** Set where the line was longer than its bound. */
  readonly beganAgain?: true;
  /** The place that is kept for its request, in microseconds since 1970. */
  readonly place?: number;
}
