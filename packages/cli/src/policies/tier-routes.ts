import type { TierState } from '@sluice/metrics/operations';
import { statedRoutes } from '@sluice/policies/operations';

/** The requests that the limiter of a tier meets, where a file of the configuration says it. */
export function routesOf({ limiter, tier }: TierState): readonly string[] | undefined {
  return statedRoutes(limiter.prefix, tier.name);
}
