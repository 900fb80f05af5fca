// options/ checks what a program writes, and has the messages for what is wrong. Options of any function of Sluice
// enter, and leave as checked values. It imports model and events.
import type { Duration } from '../model/duration.js';
import { ConfigError, hasCredentials, type ErrorCode } from '../model/errors.js';
import { distance } from './distance.js';
import type { DurationRange } from './duration-rule.js';
import { peerOption, peerValue } from './peer-options.js';
import { readDuration } from './read-duration.js';

const DAY = 8.64e10;
const WINDOW = { range: '1 ms to 400 days', max: 400 * DAY, example: "60000 or '1m'" };
/** The names that a message lists. A longer list hides the one that was meant. */
const MAX_LISTED = 8;
/** Options whose values no message shows: a store may be given as a URL with a password. */
const SECRETS: ReadonlySet<string> = new Set(['secret', 'store', 'limiter', 'partition']);

/** Checks options once, when they arrive. An error names the option, the rule and the value. */
export class OptionReader {
  readonly #owner: string;
  readonly #path: string;
  readonly #given: Readonly<Record<string, unknown>>;

  /**
   * @param owner begins every message: `tier "login"`
   * @param known names of options that are allowed
   * @param path of these options within others of the owner: `windows[1].`
   * @throws ConfigError OPTION_UNKNOWN for another name. The message says what replaces an option of another library,
   *   or suggests the most similar name
   */
  constructor(owner: string, given: object, known: readonly string[], path = '') {
    this.#owner = owner;
    this.#path = path;
    this.#given = given as Record<string, unknown>;
    for (const name of Object.keys(given)) {
      if (known.includes(name) || this.#given[name] === undefined) continue;
      throw this.fail('OPTION_UNKNOWN', name, peerOption(name, known) ?? `is not an option here${hintAt(name, known)}`);
    }
  }

  /** A reader for the options within an option. */
  within(name: string, known: readonly string[]): OptionReader {
    return new OptionReader(this.#owner, Object(this.#given[name]) as object, known, `${this.#path}${name}.`);
  }

  /** A reader for the options at an index of an array. */
  inside(name: string, index: number, known: readonly string[]): OptionReader {
    return this.#item(name, index).within(`${name}[${index}]`, known);
  }

  has(name: string): boolean {
    return this.#given[name] !== undefined;
  }

  value(name: string): unknown {
    return this.#given[name];
  }

  /** An integer from `min` to `max`. Required if there is no `otherwise`. */
  integer(
    code: ErrorCode,
    name: string,
    { min = 1, max = Number.MAX_SAFE_INTEGER, otherwise }: IntegerRule = {},
  ): number {
    const { [name]: value = otherwise } = this.#given;
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max) return value;
    const bound =
      max === Number.MAX_SAFE_INTEGER ? `an integer of at least ${min}` : `an integer from ${min} to ${max}`;
    if (value === undefined) throw this.missing(code, name, bound);
    throw this.fail(code, name, isNumeric(value) ? NOT_TEXT : `must be ${bound}`);
  }

  /** A duration in whole microseconds, from 1 ms to 400 days. */
  duration(name: string): number {
    if (!this.has(name)) throw this.missing('WINDOW_INVALID', name, "a duration, such as '1m'");
    return this.#microseconds('WINDOW_INVALID', name, this.#given[name], WINDOW);
  }

  /** A duration in milliseconds, rounded up. */
  milliseconds(name: string, otherwise: Duration | undefined, range: DurationRange): number {
    const { [name]: duration = otherwise } = this.#given;
    return Math.ceil(this.#microseconds('OPTION_INVALID', name, duration, range) / 1e3);
  }

  /** The same of an item of an array. */
  millisecondsIn(name: string, index: number, range: DurationRange): number {
    return this.#item(name, index).milliseconds(`${name}[${index}]`, undefined, range);
  }

  /** A reader whose only option is an item of an array: `delays[1]`. */
  #item(name: string, index: number): OptionReader {
    const option = `${name}[${index}]`;
    const item: unknown = (this.#given[name] as readonly unknown[])[index];
    return new OptionReader(this.#owner, { [option]: item }, [option], this.#path);
  }

  #microseconds(code: ErrorCode, name: string, duration: unknown, range: DurationRange): number {
    const microseconds = readDuration(duration, this.#owner, `${this.#path}${name}`, range);
    if (typeof microseconds === 'number') return microseconds;
    throw this.fail(code, name, microseconds);
  }

  /** Checks that the value of an option is a function or undefined. */
  function<F>(name: string, value: F): F {
    if (value === undefined || typeof value === 'function') return value;
    throw this.fail('OPTION_INVALID', name, 'must be a function');
  }

  flag(name: string): boolean {
    return this.choice(name, [true, false], false);
  }

  choice<T>(name: string, choices: readonly T[], otherwise: T): T {
    const { [name]: value = otherwise } = this.#given;
    if (choices.includes(value as T)) return value as T;
    const meant = peerValue(value, choices) ?? nearest(value, choices);
    const hint = meant === undefined ? '' : ` (did you mean ${show(meant)}?)`;
    throw this.fail('OPTION_INVALID', name, `must be one of ${choices.map((each) => show(each)).join(', ')}${hint}`);
  }

  /** The error for a required option that is not there. @param rule what it must be: `an integer of at least 1` */
  missing(code: ErrorCode, name: string, rule: string): ConfigError {
    const option = `${this.#path}${name}`;
    return new ConfigError(code, option, undefined, `${this.#owner}: ${option} is missing: it must be ${rule}`);
  }

  /** The error for an option that breaks a rule. */
  fail(code: ErrorCode, name: string, rule: string, cause?: unknown): ConfigError {
    const given = this.#given[name];
    const option = `${this.#path}${name}`;
    const isSecret = SECRETS.has(name);
    // An unknown option may be anything, also a password under another library's name.
    const got = code === 'OPTION_UNKNOWN' ? '' : `, got ${isSecret ? kindOf(given) : show(given)}`;
    const value = got === '' || isSecret ? undefined : given;
    const message = `${this.#owner}: ${option} ${rule}${got}`;
    return new ConfigError(code, option, value, message, cause === undefined ? undefined : { cause });
  }
}

interface IntegerRule {
  readonly min?: number;
  readonly max?: number;
  readonly otherwise?: number;
}

const NOT_TEXT = 'must be a number, not text: write Number(process.env.NAME) for a variable';

/** True for text that a number was written as, such as a variable of the environment. */
function isNumeric(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value));
}

/** The end of a message about an unknown name. It is empty if no known name is similar, and there are many. */
function hintAt(name: string, known: readonly string[]): string {
  const meant = nearest(name, known);
  if (meant !== undefined) return `: did you mean ${meant}?`;
  return known.length > MAX_LISTED ? '' : `: known are ${known.join(', ')}`;
}

/** The most similar known name, if a misspelling or a missing end explains the difference. */
function nearest<T>(given: unknown, known: readonly T[]): T | undefined {
  if (typeof given !== 'string') return undefined;
  const text = given.toLowerCase();
  const far = (each: T) => distance(text, String(each).toLowerCase());
  const [first] = known.toSorted((one, other) => far(one) - far(other));
  if (first !== undefined && far(first) <= Math.ceil(text.length / 3)) return first;
  return text.length >= 3 ? known.find((each) => String(each).toLowerCase().startsWith(text)) : undefined;
}

/** A value as a message shows it: short, without credentials, and without calling its methods. */
export function show(value: unknown): string {
  if (typeof value === 'string' && hasCredentials(value)) return 'a URL with credentials';
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
  if (typeof value === 'function') return `the function ${value.name || '(anonymous)'}`;
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  return String(value);
}

/** The type of a value in words, without its content: any value may identify a client. */
export function kindOf(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (value === '') return 'empty text';
  if (typeof value === 'string') return 'text';
  return typeof value === 'object' || typeof value === 'function' ? show(value) : `a ${typeof value}`;
}
