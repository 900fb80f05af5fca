import type { Algorithm } from '../algorithm.js';
import { chargeLog, emptyLog } from '../sliding-window-log/log.js';
import { Stamps, ToldStamps } from '../sliding-window-log/stamps.js';
import { eitherForm } from './forms.js';
import { currentLog, logForm } from './log-form.js';
import { ringForm } from './ring-form.js';
import type { SlidingWindowPolicy, WindowState } from './sliding-policy.js';
import type { Ring, Slots } from './slots.js';

/** Stores the time of each unit, and so admits exactly the limit in any window. */
export const windowLog: Algorithm<SlidingWindowPolicy, WindowState> = {
  ...eitherForm({
    log: logForm,
    ring: {
      ...ringForm,
      charge: (ring, now, policy, units) =>
        chargeLog(currentLog(toLog(ring, now, policy), now, policy), now, policy, units),
    },
    empty: emptyLog,
  }),
  packing: {
    path: () => 'log',
    unpack: (numbers, position) => ToldStamps.unpack(numbers, position),
  },
};

/**
 * A ring as a log. The ring does not know when in its slot a unit was charged, so each gets the last moment of its slot:
 * no window admits more than the limit.
 */
function toLog(ring: Ring, now: number, { slot }: Slots): Stamps {
  const stamps: number[] = [];
  for (let age = ring.length - 2; age >= 0; age -= 1) {
    const stamp = Math.min(now, Math.ceil((ring[0]! - age + 1) * slot) - 1);
    for (let unit = 0; unit < ring[age + 1]!; unit += 1) stamps.push(stamp);
  }
  return new Stamps(stamps, 0, stamps.length);
}
