import type { FixedWindowPolicy } from '../../algorithms/fixed-window/fixed-window.js';
import type { Policy } from '../../model/policy.js';
import type { SlidingWindowPolicy } from '../../algorithms/sliding-window/sliding-window.js';

/** How many integers tell a state of this policy; 0: it is not told, and the script describes it. */
export function numbersOfState(policy: Policy): number {
  switch (policy.algorithm) {
    case 'fixed-window':
      return (policy as FixedWindowPolicy).anchor === 'first' ? 2 : 1;
    case 'sliding-window':
    case 'token-bucket':
    case 'leaky-bucket':
      return 1;
    default:
      return 0;
  }
}

/**
 * The state that a script has found under a key, as the algorithm has it: what `fetch` of the Lua twin makes of it there.
 *
 * @param now microseconds
 */
export function foundState(policy: Policy, now: number, value: number, expires: number): unknown {
  switch (policy.algorithm) {
    case 'fixed-window':
      if ((policy as FixedWindowPolicy).anchor === 'first') return [value, expires * 1e3];
      return windowByTheClock(value, now, policy);
    case 'sliding-window':
      return packedRing(value, now, policy as SlidingWindowPolicy);
    default:
      return [value, 0];
  }
}

/** (index mod 2^21) * 2^32 + count. The script tells it of this window alone, or 0. */
function windowByTheClock(value: number, now: number, { window }: Policy): readonly [count: number, ends: number] {
  return [value % 2 ** 32, (Math.floor(now / window) + 1) * window];
}

/** ((newest mod 2^13) * 2^20 + older) * 2^20 + newer. The script tells none that is ahead, so the last such slot is meant. */
function packedRing(value: number, now: number, { tick, slot }: SlidingWindowPolicy): readonly number[] {
  const newer = value % 2 ** 20;
  const rest = (value - newer) / 2 ** 20;
  const older = rest % 2 ** 20;
  const current = Math.floor(Math.floor(now / tick) / slot);
  const age = (current - (rest - older) / 2 ** 20) % 2 ** 13;
  return [current - (age < 0 ? age + 2 ** 13 : age), newer, older];
}
