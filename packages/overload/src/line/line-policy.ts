import type { Policy } from '@sluice/core/internal';
import { linedAlgorithm } from './lined-algorithm.js';
import type { LinedPolicy } from './lined-policy.js';
import { paceOf } from './paces.js';

/** What `line()` was given. Times are microseconds. */
export interface LineTimes {
  readonly longest: number;
  /** @default no place is kept */
  readonly keep?: number | undefined;
  /** @default callers are not told apart */
  readonly by?: boolean;
}

/** The policy of a tier with a line. A limit that has none is refused with its tier. */
export function linedPolicy(plain: Policy, { longest, keep = 0, by = false }: LineTimes): Policy {
  const pace = paceOf(plain);
  if (pace === undefined) return plain;
  const { tick, calendar } = plain;
  const line = {
    longest: Math.ceil(longest / tick),
    keep: Math.ceil(keep / tick),
    by,
    slice: pace.slice(plain),
  };
  return Object.freeze({
    ...plain,
    ...(calendar && { calendar: { ...calendar, rule: `${calendar.rule} line ${longest} ${keep} ${by}` } }),
    plain,
    line,
    algorithm: linedAlgorithm(plain, line),
    numbers: [...plain.numbers, line.longest, line.keep, by ? 1 : 0, line.slice],
  } satisfies LinedPolicy);
}
