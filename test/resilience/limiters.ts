import { createLimiter, type OnStoreFailure, type Store } from '../../packages/core/src/index.js';
import type { Limited, Subject } from './traffic.js';

/** What the names of the tiers begin with, by which their keys are found. */
export const TIER = 'faults-';

const MODES: readonly OnStoreFailure[] = ['local', 'allow', 'deny'];

/**
 * A limiter on a store for each way to go on without it. Nobody reaches their limit, and what they count stays for the
 * whole run: one hit is one unit of a counter.
 */
export function limitersOn(store: Store): Limited[] {
  return MODES.map((onStoreFailure) => ({
    onStoreFailure,
    limiter: createLimiter<Subject>({
      store,
      name: `${TIER}${onStoreFailure}`,
      algorithm: 'fixed-window',
      limit: 1_000_000,
      window: '1h',
      key: ({ id }) => id,
      onStoreFailure,
    }),
  }));
}
