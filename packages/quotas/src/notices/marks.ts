import { ConfigError, type FixedWindowPolicy, type Mark, show } from '@sluice/core/internal';

/** A window that gives notice. */
export interface NoticedPolicy extends FixedWindowPolicy {
  /** The parts of its limit at which it does, in rising order. */
  readonly marks: readonly Mark[];
}

const MAX_MARKS = 8;
const RULE = `must be given 1 to ${MAX_MARKS} parts of the limit in rising order, above 0 and at most 1, such as notices(0.75, 0.9, 1)`;

/** The arguments of `notices()`. @throws ConfigError OPTION_INVALID */
export function readMarkParts(parts: readonly unknown[]): readonly number[] {
  if (parts.length > 0 && parts.length <= MAX_MARKS && parts.every(isAbove)) return Object.freeze(parts as number[]);
  const got = parts.map((each) => show(each)).join(', ');
  throw new ConfigError('OPTION_INVALID', 'notices', undefined, `notices: it ${RULE}, got notices(${got})`);
}

/** The marks of a limit. */
export function marksOf(parts: readonly number[], limit: number): readonly Mark[] {
  return parts.map((mark) => ({ mark, units: unitsOf(mark, limit) }));
}

/** The marks above so many units, up to so many. */
export function marksWithin(marks: readonly Mark[], above: number, upTo: number): readonly Mark[] {
  return marks.filter(({ units }) => units > above && units <= upTo);
}

function isAbove(mark: unknown, index: number, parts: readonly unknown[]): boolean {
  return typeof mark === 'number' && mark > (index === 0 ? 0 : (parts[index - 1] as number)) && mark <= 1;
}

/** The first count that is at a part of the limit or above it. */
function unitsOf(mark: number, limit: number): number {
  // In floating point 0.07 * 100 is a little more than 7, which must not round up to 8.
  return Math.ceil(Number((mark * limit).toPrecision(15)));
}
