import type { Duration } from '../../packages/core/src/model/duration.js';

/** Windows of a policy, by limit and length. */
export function windows(...pairs: [limit: number, window: Duration][]) {
  return pairs.map(([limit, window]) => ({ limit, window }));
}
