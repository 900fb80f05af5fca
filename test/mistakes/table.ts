import type { OptionRow, OptionRows, CombinationRule } from '../../packages/core/src/options/option-row.js';

/** A function that reads its options by a table. */
export interface Table {
  readonly name: string;
  readonly rows: OptionRows;
  /** Options that are right: the value of one row is added to them. */
  readonly right?: object;
  /** Other options that are right, for rows that need them. */
  readonly rightFor?: Readonly<Record<string, object>>;
  /** Values that a row takes and that no sample is. */
  readonly values?: Readonly<Record<string, readonly unknown[]>>;
  /** What options exclude. */
  readonly rules?: readonly CombinationRule[] | undefined;
  /** Calls the function, and closes what it returns. */
  readonly make: (options: never) => unknown;
}

/** A value of each kind that a program can write. */
export const SAMPLES: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e16,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  10n,
  Symbol('text'),
  '',
  ' ',
  'any text',
  '10',
  [],
  ['any text'],
  {},
  new Date(0),
  new Map(),
  () => undefined,
  async () => 1,
];

/** True for a row that says itself what it takes. The function checks the others. */
export function hasCheck(row: OptionRow): boolean {
  return Object.keys(row).some((member) =>
    ['integer', 'milliseconds', 'microseconds', 'oneOf', 'imported', 'is'].includes(member),
  );
}

/** Values that a row takes, as far as the row alone tells them. */
export function rightValues({
  integer,
  milliseconds,
  microseconds,
  oneOf,
  is,
  orFunction,
}: OptionRow): readonly unknown[] {
  const duration = milliseconds ?? microseconds;
  return [
    ...(integer ?? []),
    ...(duration === undefined ? [] : [(duration.min ?? 1e3) / 1e3, duration.max / 1e3]),
    ...(oneOf ?? []),
    ...(is === 'function' || orFunction === true ? [() => undefined] : []),
    ...(is === 'string' ? ['text'] : []),
  ];
}

/** Samples that a row does not take, and those next to its bounds. */
export function wrongValues(row: OptionRow): readonly unknown[] {
  const { integer: [min, max] = [0, 0], oneOf = [], instead = {} } = row;
  const duration = row.milliseconds ?? row.microseconds;
  const near = [
    ...(row.integer === undefined ? [] : [min - 1, max + 1, String(min)]),
    ...(duration === undefined ? [] : [duration.max / 1e3 + 1, `${duration.max / 1e3 + 1}ms`, '1 fortnight']),
    ...oneOf.map((each) => `${String(each)}s`),
    ...Object.keys(instead),
  ];
  return [...SAMPLES, ...near].filter((value) => !isTaken(row, value));
}

/** What a row takes, in other words than those of the product. */
function isTaken(
  { integer, milliseconds, microseconds, oneOf, is, orFunction, ...row }: OptionRow,
  value: unknown,
): boolean {
  if (orFunction === true && typeof value === 'function') return true;
  if (integer !== undefined)
    return typeof value === 'number' && value % 1 === 0 && value >= integer[0] && value <= integer[1];
  const duration = milliseconds ?? microseconds;
  if (duration !== undefined) return value === 0 ? duration.min === 0 : value === 1.5 && (duration.min ?? 0) <= 1_500;
  if (oneOf !== undefined) return oneOf.some((each) => each === value);
  if (row.imported !== undefined) return false;
  if (is === 'array') return Array.isArray(value);
  if (is === 'string' || is === 'function') return typeof value === is;
  if (is instanceof RegExp) return typeof value === 'string' && value.search(is) >= 0;
  return is!(value) === true;
}

/** Options that break a rule of several options. */
export function togetherOf(
  { rows, right, rightFor, values }: Table,
  { option, beside, without }: CombinationRule,
): object {
  const valueOf = (name: string) => {
    const { [name]: row = {} } = rows;
    return [...(values?.[name] ?? []), ...rightValues(row)].find((value) => value !== row.otherwise);
  };
  return {
    ...right,
    ...(beside !== undefined && rightFor?.[beside]),
    [option]: valueOf(option),
    ...(beside !== undefined && { [beside]: valueOf(beside) }),
    ...(without !== undefined && { [without]: undefined }),
  };
}
