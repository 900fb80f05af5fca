import type { FixedWindowPolicy } from '../../algorithms/fixed-window/fixed-window.js';
import type { Policy } from '../../model/policy.js';
import type { SlidingWindowPolicy } from '../../algorithms/sliding-window/sliding-window.js';

/**
 * The state that a script has found under a key, as the algorithm has it, of the one integer that tells it. Undefined
 * where there was none.
 *
 * @param now microseconds
 */
export function foundState(policy: Policy, now: number, told: number): unknown {
  switch (policy.algorithm) {
    case 'fixed-window':
      return windowOf(told, now, policy as FixedWindowPolicy);
    case 'sliding-window':
      return ringOf(told, now, policy as SlidingWindowPolicy);
    default:
      return [now + told, 0];
  }
}

/** (part mod 2^21) * 2^32 + count, of the last part that a window can end with now; 0 where there was none. */
function windowOf(
  told: number,
  now: number,
  { grain, reach }: FixedWindowPolicy,
): readonly [count: number, ends: number] | undefined {
  if (told === 0) return undefined;
  const count = told % 2 ** 32;
  const latest = Math.ceil((now + reach) / grain);
  return [count, (latest - ((latest - (told - count) / 2 ** 32) % 2 ** 21)) * grain];
}

/** older * 2^20 + newer, in the slot of now. */
function ringOf(told: number, now: number, { tick, slot }: SlidingWindowPolicy): readonly number[] {
  const newer = told % 2 ** 20;
  return [Math.floor(Math.floor(now / tick) / slot), newer, (told - newer) / 2 ** 20];
}
