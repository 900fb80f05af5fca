// options/ checks what a program writes, and has the messages for what is wrong. Options of any function of Sluice
// enter, and leave as checked values. It imports model and events.
import { ConfigError, type ErrorCode } from '../model/errors.js';
import type { DurationRange } from './duration-rule.js';
import { nearest } from './nearest.js';
import {
  ANY,
  brokenRule,
  ruleInstead,
  type OptionRow,
  type OptionRows,
  type CombinationRule,
  type ValueOf,
  type ValuesOf,
  wordsOf,
} from './option-row.js';
import { peerOption } from './peer-options.js';
import { readDuration } from './read-duration.js';
import { kindOf, show } from './show.js';

/** The names that a message lists. A longer list hides the one that was meant. */
const MAX_LISTED = 8;
/** Options whose values no message shows: a store may be given as a URL with a password. */
const SECRETS: ReadonlySet<string> = new Set(['secret', 'store', 'limiter', 'partition', 'identity']);

/**
 * Reads the options of a function that has a row for each of them.
 *
 * @param owner the function: it begins every message
 * @throws ConfigError
 */
export function readOptions<Rows extends OptionRows>(
  owner: string,
  given: object,
  rows: Rows,
  rules: readonly CombinationRule[] = [],
): ValuesOf<Rows> {
  checkObject(owner, given);
  const reader = new OptionReader(owner, given, rows);
  const values = reader.read(rows);
  reader.check(rules);
  return values;
}

/** @param ofArray what to write for an array. @throws ConfigError OPTION_INVALID */
export function checkObject(owner: string, options: unknown, ofArray = ''): asserts options is object {
  const isArray = Array.isArray(options);
  if (typeof options === 'object' && options !== null && !isArray) return;
  const rule = `must be an object${isArray ? ofArray : ''}`;
  throw new OptionReader(owner, { options }, ['options']).fail('OPTION_INVALID', 'options', rule);
}

/** Checks options once, when they arrive. An error names the option, the rule and the value. */
export class OptionReader {
  readonly #owner: string;
  readonly #path: string;
  readonly #given: Readonly<Record<string, unknown>>;
  readonly #rows: OptionRows;

  /**
   * @param owner begins every message: `tier "login"`
   * @param known the rows or the names of options that are allowed
   * @param path of these options within others of the owner: `windows[1].`
   * @throws ConfigError OPTION_UNKNOWN for another name. The message says what replaces an option of another library,
   *   or suggests the most similar name
   */
  constructor(owner: string, given: object, known: OptionRows | readonly string[], path = '') {
    const names = Array.isArray(known) ? (known as readonly string[]) : Object.keys(known);
    this.#owner = owner;
    this.#path = path;
    this.#given = given as Record<string, unknown>;
    this.#rows = known as OptionRows;
    for (const name of Object.keys(given)) {
      if (names.includes(name) || this.#given[name] === undefined) continue;
      throw this.fail('OPTION_UNKNOWN', name, peerOption(name, names) ?? `is not an option here${hintAt(name, names)}`);
    }
  }

  /** A reader for the options within an option. @param known @default any */
  within(name: string, known?: OptionRows | readonly string[]): OptionReader {
    const given = Object(this.#given[name]) as object;
    return new OptionReader(this.#owner, given, known ?? Object.keys(given), `${this.#path}${name}.`);
  }

  /** A reader for the options at an index of an array. */
  inside(name: string, index: number, known?: OptionRows): OptionReader {
    return this.#item(name, index).within(`${name}[${index}]`, known);
  }

  has(name: string): boolean {
    return this.#given[name] !== undefined;
  }

  value(name: string): unknown {
    return this.#given[name];
  }

  /** The values of options by their rows. */
  read<Rows extends OptionRows>(rows: Rows): ValuesOf<Rows> {
    const values = Object.entries(rows).map(([name, row]) => [name, this.one(name, row)] as const);
    return Object.fromEntries(values) as ValuesOf<Rows>;
  }

  /** The value of an option by its row. */
  one<const Row extends OptionRow>(name: string, row: Row): ValueOf<Row> {
    const { [name]: value = row.otherwise } = this.#given;
    const { code = 'OPTION_INVALID', milliseconds, microseconds } = row as OptionRow;
    if (value === undefined) {
      if (row.required) throw this.missing(code, name, wordsOf(row, name));
      return undefined as ValueOf<Row>;
    }
    // The check of a default may cost much: that of a time zone loads the data of all zones.
    const rule = this.has(name) ? brokenRule(row, value, name) : undefined;
    if (rule !== undefined) throw this.fail(code, name, rule, row.secret);
    if (milliseconds !== undefined)
      return Math.ceil(this.#duration(code, name, value, row, milliseconds) / 1e3) as ValueOf<Row>;
    if (microseconds !== undefined) return this.#duration(code, name, value, row, microseconds) as ValueOf<Row>;
    return value as ValueOf<Row>;
  }

  /** The value of an item of an array by a row: `delays[1]`. */
  item<const Row extends OptionRow>(name: string, index: number, row: Row): ValueOf<Row> {
    return this.#item(name, index, row).one(`${name}[${index}]`, row);
  }

  /** Checks rules of several options. */
  check(rules: readonly CombinationRule[]): void {
    const broken = rules.find(
      ({ option, beside, without = '' }) =>
        this.has(option) && (beside === undefined ? !this.has(without) : this.#isOn(beside)),
    );
    if (broken !== undefined) throw this.fail('OPTION_INVALID', broken.option, broken.rule);
  }

  /** True for an option with another value than it has when it is left out. */
  #isOn(name: string): boolean {
    return this.has(name) && this.value(name) !== this.#rows[name]?.otherwise;
  }

  /** A reader whose only option is an item of an array: `delays[1]`. */
  #item(name: string, index: number, row: OptionRow = ANY): OptionReader {
    const option = `${name}[${index}]`;
    const item: unknown = (this.#given[name] as readonly unknown[])[index];
    return new OptionReader(this.#owner, { [option]: item }, { [option]: row }, this.#path);
  }

  #duration(code: ErrorCode, name: string, duration: unknown, row: OptionRow, range: DurationRange): number {
    const microseconds = readDuration(duration, this.#owner, `${this.#path}${name}`, range);
    if (typeof microseconds === 'number') return microseconds;
    throw this.fail(code, name, ruleInstead(row, duration) ?? microseconds);
  }

  /** The error for a required option that is not there. @param rule what it must be: `an integer of at least 1` */
  missing(code: ErrorCode, name: string, rule: string): ConfigError {
    const option = `${this.#path}${name}`;
    return new ConfigError(code, option, undefined, `${this.#owner}: ${option} is missing: it must be ${rule}`);
  }

  /** The error for an option that breaks a rule. @param hides its value */
  fail(code: ErrorCode, name: string, rule: string, hides = SECRETS.has(name)): ConfigError {
    const given = this.#given[name];
    const option = `${this.#path}${name}`;
    // An unknown option may be anything, also a password under another library's name.
    const got = code === 'OPTION_UNKNOWN' ? '' : `, got ${hides ? kindOf(given) : show(given)}`;
    const value = got === '' || hides ? undefined : given;
    return new ConfigError(code, option, value, `${this.#owner}: ${option} ${rule}${got}`);
  }
}

/** The end of a message about an unknown name. It is empty if no known name is similar, and there are many. */
function hintAt(name: string, known: readonly string[]): string {
  const meant = nearest(name, known);
  if (meant !== undefined) return `: did you mean ${meant}?`;
  return known.length > MAX_LISTED ? '' : `: known are ${known.join(', ')}`;
}
