import type { FixedWindowPolicy } from '../../algorithms/fixed-window/window-policy.js';
import type { OptionReader } from '../../options/option-reader.js';
import { TELLING } from './held-marks.js';
import { readMarks } from './marks.js';
import { noticedWindow } from './noticed-window.js';

/** The policy of a window that gives notice of marks. @throws ConfigError OPTION_INVALID */
export function noticedPolicy(policy: FixedWindowPolicy, options: OptionReader): FixedWindowPolicy {
  const marks = readMarks(options, policy.limit);
  const units = marks.map((each) => each.units);
  const numbers = [...policy.numbers, ...units, units.length, TELLING.charge];
  const rule = policy.rule === undefined ? {} : { rule: `${policy.rule} ${units.join()}` };
  return Object.freeze({ ...policy, ...rule, algorithm: noticedWindow, marks, numbers });
}
