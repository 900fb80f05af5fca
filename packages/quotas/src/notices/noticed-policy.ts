import type { FixedWindowPolicy } from '@sluice/core/internal';
import { TELLING } from './held-marks.js';
import { marksOf, type NoticedPolicy } from './marks.js';
import { noticedWindow } from './noticed-window.js';

/** The policy of a window that gives notice of marks. @param parts of its limit */
export function noticedPolicy(policy: FixedWindowPolicy, parts: readonly number[]): NoticedPolicy {
  const marks = marksOf(parts, policy.limit);
  const units = marks.map((each) => each.units);
  const numbers = [...policy.numbers, ...units, units.length, TELLING.charge];
  const { calendar } = policy;
  const told = calendar && { calendar: { ...calendar, rule: `${calendar.rule} ${units.join()}` } };
  return Object.freeze({ ...policy, ...told, algorithm: noticedWindow, marks, numbers });
}
