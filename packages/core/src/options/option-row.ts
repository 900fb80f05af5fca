import type { ErrorCode } from '../model/errors.js';
import { isFeatureValue } from '../model/feature.js';
import { factoryCall } from '../model/key-factory.js';
import type { DurationRange } from './duration-rule.js';
import { howTo, type Import } from './imported-value.js';
import { nearest } from './nearest.js';
import { peerValue } from './peer-options.js';
import { show } from './show.js';

/**
 * What an option accepts, as a check and in words. The check where options arrive, the message and the tests of mistakes
 * are all made of it. At most one member is a check: any value passes without one.
 */
export interface OptionRow {
  /** @default OPTION_INVALID */
  readonly code?: ErrorCode;
  /** A whole number. The bounds are allowed too. */
  readonly integer?: readonly [min: number, max: number];
  /** A duration, which is read as milliseconds, rounded up. */
  readonly milliseconds?: DurationRange;
  readonly microseconds?: DurationRange;
  readonly oneOf?: readonly unknown[];
  /** What a function of another package has returned. */
  readonly imported?: Import;
  /** A type, a form of text, or a test of any value, which may return the rule that is broken. It needs words. */
  readonly is?: 'function' | 'string' | 'array' | RegExp | ((value: unknown) => boolean | string);
  /** A function of the subject may stand for the value. */
  readonly orFunction?: true;
  /** What it must be, and an example unless that is plain: `a function of the subject`. */
  readonly words?: string;
  /** Rules for values that people write and that mean something else here, by their text. */
  readonly instead?: Readonly<Record<string, string>>;
  /** The same for every text of a form. */
  readonly insteadOf?: readonly (readonly [form: RegExp, rule: string])[];
  /** The value of an option that is left out. @default undefined */
  readonly otherwise?: unknown;
  /** It cannot be left out. */
  readonly required?: true;
  /** No message shows its value. */
  readonly secret?: true;
}

/** A row for each option of a function, under its name. */
export type OptionRows = Readonly<Record<string, OptionRow>>;

/** Options that go together or exclude each other. With neither `beside` nor `without` the option is always wrong. */
export interface CombinationRule {
  /** The option that the error names. */
  readonly option: string;
  /** Another option, which it cannot be combined with, unless that has the value that it has when it is left out. */
  readonly beside?: string;
  /** Another option, without which it has no meaning. */
  readonly without?: string;
  /** The end of the message. */
  readonly rule: string;
}

/** Rules for options that mean nothing beside something else: each is left out. */
export function withoutMeaning(options: readonly string[], reason: string): readonly CombinationRule[] {
  return options.map((option) => ({ option, rule: `cannot be combined with ${reason}: leave it out` }));
}

/** The values of options that have been read by their rows. A value that only `is` checks has the type of its option. */
export type ValuesOf<Rows extends OptionRows> = { readonly [Name in keyof Rows]: ValueOf<Rows[Name]> };

export type ValueOf<Row extends OptionRow> = Row extends { required: true } | { otherwise: {} }
  ? CheckedBy<Row>
  : CheckedBy<Row> | undefined;

type CheckedBy<Row extends OptionRow> = Row extends
  | { integer: unknown }
  | { milliseconds: unknown }
  | { microseconds: unknown }
  ? number
  : Row extends { oneOf: readonly (infer Choice)[] }
    ? Choice
    : unknown;

/** The longest window: 400 days. */
const WINDOW: DurationRange = { range: '1 ms to 400 days', max: 3.456e13, example: "60000 or '1m'" };
const PERIOD =
  "must be a duration of one length, up to 400 days: for a month write algorithm: 'fixed-window', period: 'month'";
/** A schedule of cron: five or six fields, or a word such as `@hourly`. */
export const CRON = /^(?:@[a-z]+|(?:[\d*/,?LW#-]+\s+){4,5}[\da-z*/,?L#-]+)$/i;
export const WINDOW_ROW = {
  code: 'WINDOW_INVALID',
  microseconds: WINDOW,
  words: "a duration, such as '1m'",
  insteadOf: [
    [CRON, "is no schedule: write '5m' for five minutes"],
    [/^\d*\s*(?:mo|mon|months?|monthly|y|yr|years?|yearly)$/i, PERIOD],
  ],
  required: true,
} as const satisfies OptionRow;
export const FLAG = { oneOf: [true, false], otherwise: false } as const satisfies OptionRow;
export const FUNCTION = { is: 'function', words: 'a function' } as const satisfies OptionRow;
/** An option that the function itself checks, because its rule depends on more than its value. */
export const ANY: OptionRow = {};

/** What an option must be, in words. @param option its name */
export function wordsOf(
  { words, integer, oneOf, imported, milliseconds, microseconds }: OptionRow,
  option: string,
): string {
  if (words !== undefined) return words;
  if (oneOf !== undefined) return `one of ${oneOf.map((each) => show(each)).join(', ')}`;
  if (imported !== undefined) return `what ${imported.name}() returns: ${howTo(option, imported)}`;
  const duration = milliseconds ?? microseconds;
  if (duration !== undefined) return `a duration from ${duration.range}, such as ${duration.example}`;
  const [min, max] = integer!;
  return max === Number.MAX_SAFE_INTEGER ? `an integer of at least ${min}` : `an integer from ${min} to ${max}`;
}

/** The rule that a value breaks, as a message has it. Undefined for a value that is accepted, and for each duration. */
export function brokenRule(row: OptionRow, value: unknown, option: string): string | undefined {
  const answer = isAccepted(row, value);
  if (answer === true) return undefined;
  if (answer !== false) return answer;
  if (row.integer !== undefined && isNumeric(value)) return NOT_TEXT;
  if (row.integer !== undefined && typeof value === 'bigint') return NOT_BIGINT;
  return ruleInstead(row, value) ?? `must be ${wordsOf(row, option)}${hintAt(row, value)}`;
}

/** The rule for a value that people write, and that means something else here. */
export function ruleInstead({ instead = {}, insteadOf = [] }: OptionRow, value: unknown): string | undefined {
  if (typeof value === 'object' && value !== null) return undefined;
  const text = String(value);
  return Object.hasOwn(instead, text) ? instead[text] : insteadOf.find(([form]) => form.test(text))?.[1];
}

/** @returns a rule for a mistake that has a remedy of its own */
function isAccepted({ integer, oneOf, imported, is, orFunction }: OptionRow, value: unknown): boolean | string {
  if (orFunction && typeof value === 'function') return true;
  if (integer !== undefined)
    return Number.isSafeInteger(value) && integer[0] <= (value as number) && (value as number) <= integer[1];
  if (oneOf !== undefined) return oneOf.includes(value);
  if (imported !== undefined) return isFeatureValue(value, imported.feature);
  if (is === 'array') return Array.isArray(value);
  if (is === 'function') return typeof value === 'function' && notFactory(value);
  if (typeof is === 'function') return is(value);
  return is === undefined || (typeof value === 'string' && (is === 'string' || is.test(value)));
}

/** A function that returns key functions is no key function: it must be called. */
function notFactory(value: object & { readonly name?: string }): true | string {
  const call = factoryCall(value);
  return call === undefined || `must be what ${value.name} returns: write ${call}`;
}

const NOT_BIGINT = 'must be a number, not a bigint: write Number(…)';
const NOT_TEXT = 'must be a number, not text: write Number(process.env.NAME) for a variable';

/** True for text that a number was written as, such as a variable of the environment. */
function isNumeric(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value));
}

function hintAt({ integer, oneOf = [] }: OptionRow, value: unknown): string {
  if (integer !== undefined && Number.isNaN(value))
    return ': the variable that it is read from is not set, or is no number';
  const meant = peerValue(value, oneOf) ?? nearest(value, oneOf);
  return meant === undefined ? '' : ` (did you mean ${show(meant)}?)`;
}
