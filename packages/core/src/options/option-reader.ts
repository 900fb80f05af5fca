import { distance } from 'fastest-levenshtein';

import { parseDuration } from '../model/duration.js';
import { ConfigError, type ErrorCode } from '../model/errors.js';

const DAY = 8.64e10;

/** Reads options at the door: each is checked once, and a mistake is told with option, rule and value. */
export class OptionReader {
  readonly #owner: string;
  readonly #path: string;
  readonly #given: Readonly<Record<string, unknown>>;

  /**
   * @param path where the options stand in others of the same owner: `windows[1].`
   * @throws ConfigError OPTION_UNKNOWN for a name that is not known, with the nearest that is.
   */
  constructor(owner: string, given: object, known: readonly string[], path = '') {
    this.#owner = owner;
    this.#path = path;
    this.#given = given as Record<string, unknown>;
    for (const name of Object.keys(given)) {
      if (known.includes(name) || this.#given[name] === undefined) continue;
      const meant = nearest(name, known);
      const hint = meant === undefined ? `known are ${known.join(', ')}` : `did you mean ${meant}?`;
      throw this.fail('OPTION_UNKNOWN', name, `is not an option here: ${hint}`);
    }
  }

  /** Reads the options in one of these that is an array. */
  inside(name: string, index: number, known: readonly string[]): OptionReader {
    const each: unknown = (this.#given[name] as readonly unknown[])[index];
    return new OptionReader(this.#owner, Object(each) as object, known, `${this.#path}${name}[${index}].`);
  }

  has(name: string): boolean {
    return this.#given[name] !== undefined;
  }

  value(name: string): unknown {
    return this.#given[name];
  }

  /** An integer from `min` to `max`. Without `otherwise` it has to be given. */
  integer(
    code: ErrorCode,
    name: string,
    { min = 1, max = Number.MAX_SAFE_INTEGER, otherwise }: IntegerRule = {},
  ): number {
    const { [name]: value = otherwise } = this.#given;
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max) return value;
    const bound =
      max === Number.MAX_SAFE_INTEGER ? `an integer of at least ${min}` : `an integer from ${min} to ${max}`;
    throw this.fail(code, name, `must be ${bound}`);
  }

  /** A duration in whole microseconds, from 1 ms to 400 days. */
  duration(name: string): number {
    const microseconds = parseDuration(this.#given[name]);
    if (microseconds !== undefined && microseconds >= 1e3 && microseconds <= 400 * DAY) return microseconds;
    throw this.fail('WINDOW_INVALID', name, "must be a duration from 1 ms to 400 days, such as 60000 or '1m'");
  }

  /** The function that an option holds, if it holds anything. */
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
    const meant = nearest(value, choices);
    const hint = meant === undefined ? '' : ` (did you mean ${show(meant)}?)`;
    throw this.fail('OPTION_INVALID', name, `must be one of ${choices.map((each) => show(each)).join(', ')}${hint}`);
  }

  /** The error of an option: names whose it is, the option, the rule and the value. */
  fail(code: ErrorCode, name: string, rule: string, cause?: unknown): ConfigError {
    const value = this.#given[name];
    const option = `${this.#path}${name}`;
    const message = `${this.#owner}: ${option} ${rule}, got ${show(value)}`;
    return new ConfigError(code, option, value, message, cause === undefined ? undefined : { cause });
  }
}

interface IntegerRule {
  readonly min?: number;
  readonly max?: number;
  readonly otherwise?: number;
}

/** What was meant by a text that is not known; none where it is another word rather than a misspelling. */
function nearest<T>(text: unknown, known: readonly T[]): T | undefined {
  if (typeof text !== 'string') return undefined;
  const far = (each: T) => distance(text, String(each));
  const [first] = known.toSorted((one, other) => far(one) - far(other));
  return first !== undefined && far(first) <= Math.ceil(text.length / 3) ? first : undefined;
}

/** A value as a message shows it: short, and never a surprise. */
export function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
  if (typeof value === 'function') return `the function ${value.name || '(anonymous)'}`;
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  return String(value);
}
