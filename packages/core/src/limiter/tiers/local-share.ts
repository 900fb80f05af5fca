import type { PolicyOptions } from '../../algorithms/policy-options.js';
import { REFILL_MAX } from '../../algorithms/token-bucket/token-bucket.js';
import { parseDuration, type Duration } from '../../model/duration.js';

/** The options of all algorithms that a share is taken of. */
interface Shareable {
  readonly limit?: number;
  readonly window?: Duration;
  readonly burst?: number;
  readonly queue?: number;
  readonly windows?: readonly { readonly limit: number }[];
}

/**
 * The options of a policy with a part of its units, for one of several processes that limit each on their own.
 *
 * @param options of a policy that can be defined
 * @param share above 0 and at most 1
 */
export function localShareOf(options: PolicyOptions, share: number): PolicyOptions {
  const { limit, window, burst, queue, windows } = options as Shareable;
  const most = mostUnits(limit === undefined ? undefined : unitsOf(limit, share), window);
  const shared: Shareable = {
    ...options,
    ...(limit !== undefined && { limit: unitsOf(limit, share) }),
    ...(burst !== undefined && { burst: Math.min(unitsOf(burst, share), most) }),
    // A queue has a place more than requests that wait.
    ...(queue !== undefined && { queue: Math.min(unitsOf(queue + 1, share), most) - 1 }),
    ...(windows && { windows: windows.map((each) => ({ ...each, limit: unitsOf(each.limit, share) })) }),
  };
  return shared as PolicyOptions;
}

/** Rounded up, so that nobody is left without any: N processes together allow at most N - 1 units more than the limit. */
function unitsOf(units: number, share: number): number {
  // 1 / 5 is a little more than a fifth to a computer, and 15 of them are 3 all the same.
  return Math.ceil(Number((units * share).toPrecision(15)));
}

/** What is rounded up must not take longer to refill than a policy may. */
function mostUnits(limit: number | undefined, window: Duration | undefined): number {
  if (limit === undefined || window === undefined) return Infinity;
  return Math.floor((REFILL_MAX / parseDuration(window)!) * limit);
}
