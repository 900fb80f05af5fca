import type { PolicyOptions } from '../../algorithms/named/policy-options.js';

/** The options of a bucket that count units. */
interface Sizes {
  readonly limit?: number;
  readonly burst?: number;
  readonly queue?: number;
}

/**
 * The options of a policy at another limit. A bucket stores the time that its units take, so its size moves with the limit:
 * then a full bucket is full under both, and no order of limits admits more than the largest of them.
 */
export function scaledOptions(options: PolicyOptions, limit: number): PolicyOptions {
  const { limit: own, burst, queue } = options as Sizes;
  // Without a window it limits what is in flight, and its queue holds requests of this process.
  const isBucket = own !== undefined && 'window' in options;
  // Rounded up: a state that fills a bucket must not be cut by another, which would give units back.
  const scaled = (units: number) => Math.ceil((units * limit) / own!);
  const sizes: Sizes = {
    limit,
    ...(isBucket && burst !== undefined && { burst: scaled(burst) }),
    // One request is served while the queue waits.
    ...(isBucket && queue !== undefined && { queue: scaled(queue + 1) - 1 }),
  };
  return { ...options, ...sizes };
}
