import type { Policy } from '../../model/policy.js';
import { Stamps } from '../sliding-window-log/stamps.js';
import type { Ring, Slots } from './slots.js';

/**
 * A ring as a log. The ring does not know when in its slot a unit was charged, so each gets the last moment of its slot:
 * no window admits more than the limit.
 */
export function toLog(ring: Ring, now: number, { slot }: Slots): Stamps {
  const stamps: number[] = [];
  for (let age = ring.length - 2; age >= 0; age -= 1) {
    const stamp = Math.min(now, Math.ceil((ring[0]! - age + 1) * slot) - 1);
    for (let unit = 0; unit < ring[age + 1]!; unit += 1) stamps.push(stamp);
  }
  return new Stamps(stamps, 0, stamps.length);
}

/**
 * A log as a ring.
 *
 * @param stamps of the window that ends now
 * @param now ticks of the policy, which may be longer than those of the log
 */
export function toRing(
  stamps: Stamps,
  now: number,
  { slot, ring, tick, logTick }: Slots & Pick<Policy, 'tick'> & { readonly logTick: number },
): Ring {
  const newest = Math.floor(now / slot);
  const counts = new Array<number>(ring + 1).fill(0);
  counts[0] = newest;
  for (let index = 0; index < stamps.length; index += 1) {
    counts[newest - Math.floor((stamps.at(index) * logTick) / (slot * tick)) + 1]! += 1;
  }
  return counts;
}
