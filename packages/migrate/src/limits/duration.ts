import { branchesOf, isNothing, isOfEnvironment, mayBeMissing, numberIn } from '../source/branches.js';
import { constantOf } from '../source/constant.js';
import type { SourceFile } from '../source/source-file.js';
import type { Syntax } from '../source/syntax.js';
import type { Converter, LimitDraft } from './limit-draft.js';

/** Milliseconds of each unit. */
export const UNITS = { w: 604_800_000, d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000 };
const LONGEST = 400 * UNITS.d;

/** Milliseconds as people write them: `'15m'`. */
export function durationText(milliseconds: number): string {
  const [unit, size] = Object.entries(UNITS).find(([, each]) => milliseconds % each === 0) ?? ['', 1];
  return unit === '' ? `'${milliseconds}ms'` : `'${milliseconds / size}${unit}'`;
}

export function isMilliseconds(value: unknown): value is number {
  return typeof value === 'number' && value >= 1 && value <= LONGEST;
}

/** A time in units of the library. */
export function durationOf(unit: WindowUnit): Converter {
  return (draft, given) => windowText(draft, given, unit);
}

export interface WindowUnit {
  /** Milliseconds of a unit: 1000 for seconds. @default 1 */
  readonly factor?: number;
  /** What the library takes where the value is undefined, in its units. */
  readonly byDefault?: number | undefined;
}

/** The window in an option, as our text. Undefined, and refused, where it is none. */
export function windowText(
  draft: LimitDraft,
  { name, value }: { readonly name: string; readonly value: Syntax },
  { factor = 1, byDefault }: WindowUnit,
): string | undefined {
  if (['ArrowFunctionExpression', 'FunctionExpression', 'ObjectExpression'].includes(value.type)) {
    draft.refuse(value, 'the window is no number', 'use a plan for each window: docs/guide/plans-and-costs.md#plans');
    return undefined;
  }
  const isText = isOfEnvironment(draft.file, value);
  const isWrong = branchesOf(draft.file, value).some((branch) => {
    const number = numberIn(branch, isText);
    return isNothing(branch) || (number !== undefined && !isMilliseconds(Number(number) * factor));
  });
  if (isWrong) {
    draft.refuse(
      value,
      `${name} is no time of 1 ms to 400 days, or not always`,
      'write a window from 1 ms to 400 days, and run this again',
    );
    return undefined;
  }
  const constant = constantOf(draft.file, value);
  // A name says more than its value.
  if (typeof constant === 'number' && value.type !== 'Identifier') return durationText(constant * factor);
  const text = draft.carry(factor === 1 && !isText ? draft.file.typedOf(value) : value);
  if (text === undefined) return undefined;
  const number = isText ? `Number(${withDefault(draft.file, value, text, byDefault)})` : text;
  if (factor === 1) return number;
  // Of `config?.ttl`, which the compiler does not multiply.
  if (number === text && value.type === 'MemberExpression' && text.includes('?.')) return `Number(${text}) * ${factor}`;
  const isSimple = number !== text || ['Identifier', 'MemberExpression', 'CallExpression'].includes(value.type);
  return `${isSimple ? number : `(${number})`} * ${factor}`;
}

/** `process.env.MAX` may be missing, where the library takes its default. */
export function withDefault(file: SourceFile, value: Syntax, text: string, byDefault: number | undefined): string {
  if (byDefault === undefined || !mayBeMissing(file, value)) return text;
  const isPlain = /^(MemberExpression|Identifier|CallExpression)$/.test(value.type);
  return `${isPlain ? text : `(${text})`} ?? ${byDefault}`;
}
