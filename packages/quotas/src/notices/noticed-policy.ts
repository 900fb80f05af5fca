import type { FixedWindowPolicy } from '@sluice/core/internal';
import { TELLING } from './held-marks.js';
import { marksOf } from './marks.js';
import { noticedWindow } from './noticed-window.js';

/** The policy of a window that gives notice of marks. @param parts of its limit */
export function noticedPolicy(policy: FixedWindowPolicy, parts: readonly number[]): FixedWindowPolicy {
  const marks = marksOf(parts, policy.limit);
  const units = marks.map((each) => each.units);
  const numbers = [...policy.numbers, ...units, units.length, TELLING.charge];
  const rule = policy.rule === undefined ? {} : { rule: `${policy.rule} ${units.join()}` };
  return Object.freeze({ ...policy, ...rule, algorithm: noticedWindow, marks, numbers });
}
