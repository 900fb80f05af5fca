import {
  chargeLog,
  describeLog,
  isLogAhead,
  logTerms,
  readLog,
  remainingInLog,
  waitForLog,
  type LogWindow,
} from '../sliding-window-log/log.js';
import { Stamps } from '../sliding-window-log/stamps.js';
import type { Form } from './forms.js';

/** A log, at a limit that charges one. */
export const logForm: Form<Stamps> = {
  isAhead: isLogAhead,
  read: currentLog,
  wait: waitForLog,
  remaining: (log, _now, policy) => remainingInLog(log, policy),
  charge: chargeLog,
  describe: describeLog,

  refund(stored, now, policy, { units, at }) {
    const { stamps, removed } = currentLog(stored, now, policy).remove(at, units);
    return { state: stamps, given: removed };
  },

  expiresAt(log, { span }) {
    return log.length === 0 ? 0 : log.at(log.length - 1) + span;
  },

  terms: (log, _now, policy) => logTerms(log, policy),
};

/** A log as it stands now. Stamps that lie in the future become stamps of now, because the clock has stepped back. */
export function currentLog(stored: Stamps, now: number, window: LogWindow): Stamps {
  if (!isLogAhead(stored, now)) return readLog(stored, now, window);
  const stamps = Array.from({ length: stored.length }, (_, index) => Math.min(stored.at(index), now));
  return readLog(new Stamps(stamps, 0, stamps.length), now, window);
}
