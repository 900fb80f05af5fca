import type { InspectOptions, TierChoice } from './identity.js';
import type { Inspection } from './inspection.js';

/** What an identity has in the tiers of a limiter: `limiter.of(identity)`. */
export interface Budgets {
  /**
   * Like `inspect` of the limiter.
   *
   * @throws UsageError, as a rejection, for a tier whose limit is a function, or that plans give several limits, without
   *   `limit`
   */
  inspect(options?: InspectOptions): Promise<readonly Inspection[]>;
  /** Like `reset` of the limiter. Other processes may deny from their deny cache for up to a minute. */
  reset(options?: TierChoice): Promise<void>;
}
