import type { FixedWindowPolicy } from '../../../algorithms/fixed-window/fixed-window.js';
import type { SlidingWindowPolicy } from '../../../algorithms/sliding-window/sliding-window.js';
import type { Policy } from '../../../model/policy.js';

/**
 * The state of a key, from the integer that a fast path of its algorithm replies with. Undefined for a key without one.
 *
 * @param now microseconds
 */
export function decodeState(policy: Policy, now: number, value: number): unknown {
  switch (policy.algorithm) {
    case 'fixed-window':
      return windowOf(value, now, policy as FixedWindowPolicy);
    case 'sliding-window':
      return ringOf(value, now, policy as SlidingWindowPolicy);
    default:
      return [now + value, 0];
  }
}

/** (part mod 2^21) * 2^32 + count, of the last part that a window can end with now; 0 where there was none. */
function windowOf(
  value: number,
  now: number,
  { grain, reach }: FixedWindowPolicy,
): readonly [count: number, ends: number] | undefined {
  if (value === 0) return undefined;
  const count = value % 2 ** 32;
  const latest = Math.ceil((now + reach) / grain);
  return [count, (latest - ((latest - (value - count) / 2 ** 32) % 2 ** 21)) * grain];
}

/** older * 2^20 + newer, in the slot of now. */
function ringOf(value: number, now: number, { tick, slot }: SlidingWindowPolicy): readonly number[] {
  const newer = value % 2 ** 20;
  return [Math.floor(Math.floor(now / tick) / slot), newer, (value - newer) / 2 ** 20];
}
