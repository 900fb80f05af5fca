import type { PolicyOptions } from '../../algorithms/named/policy-options.js';
import { LONGEST_US } from '../../algorithms/most-units.js';
import { parseDuration, type Duration } from '../../model/duration.js';

/** The options that a share is taken of, in all algorithms. */
interface Shareable {
  readonly limit?: number;
  readonly window?: Duration;
  readonly burst?: number;
  readonly overdraft?: number;
  readonly queue?: number;
  readonly windows?: readonly { readonly limit: number }[];
}

/**
 * The options of a policy with a share of its units, for one of several processes without a common store.
 *
 * @param options of a valid policy
 * @param share above 0 and at most 1
 */
export function localShareOf(options: PolicyOptions, share: number): PolicyOptions {
  const { limit, window, burst, overdraft, windows, ...others } = options as Shareable;
  // Without a window it limits what is in flight, and its queue is of this process already.
  const queue = window === undefined ? undefined : others.queue;
  const max = maxUnits(limit === undefined ? undefined : unitsOf(limit, share), window);
  const units = burst ?? limit;
  const capacity = units === undefined ? 0 : Math.min(unitsOf(units, share), max);
  const shared: Shareable = {
    ...options,
    ...(limit !== undefined && { limit: unitsOf(limit, share) }),
    ...(burst !== undefined && { burst: capacity }),
    ...(overdraft !== undefined && { overdraft: Math.min(unitsOf(overdraft, share), max - capacity) }),
    // One request is served while the queue waits.
    ...(queue !== undefined && { queue: Math.min(unitsOf(queue + 1, share), max) - 1 }),
    ...(windows && { windows: windows.map((each) => ({ ...each, limit: unitsOf(each.limit, share) })) }),
  };
  return shared as PolicyOptions;
}

/** Rounded up to at least one unit. N processes together allow at most N - 1 units more than the limit. */
function unitsOf(units: number, share: number): number {
  // In floating point 15 * (1 / 5) may be a little more than 3, which must not round up to 4.
  return Math.ceil(Number((units * share).toPrecision(15)));
}

/** The most units that refill in the time that a policy allows: rounding up must not exceed it. */
function maxUnits(limit: number | undefined, window: Duration | undefined): number {
  if (limit === undefined || window === undefined) return Infinity;
  return Math.floor((LONGEST_US / parseDuration(window)!) * limit);
}
