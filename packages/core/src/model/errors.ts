import { referencePage } from './reference-page.js';

/** What went wrong, for programs. docs/reference/errors.md explains each code. */
export type ErrorCode =
  | 'LIMIT_INVALID'
  | 'COST_INVALID'
  | 'WINDOW_INVALID'
  | 'BURST_INVALID'
  | 'QUEUE_INVALID'
  | 'PRECISION_INVALID'
  | 'KEY_INVALID'
  | 'OPTION_INVALID'
  | 'OPTION_UNKNOWN'
  | 'TIER_NAME_INVALID'
  | 'TIER_NAME_REQUIRED'
  | 'TIER_NAME_TAKEN'
  | 'TIERS_INVALID'
  | 'USAGE_INVALID'
  | 'FUNCTION_FAILED'
  | 'STORE_CLOSED'
  | 'STORE_UNAVAILABLE'
  | 'STORE_KEY_UNREADABLE'
  | 'STORE_UNSUPPORTED';

/** The same symbol in every copy of the package and in every realm, where `instanceof` fails. */
const BRAND = Symbol.for('sluice.error');

/** `ErrorOptions` of ES2022, which programs with an older `target` do not have. */
export interface ErrorCause {
  cause?: unknown;
}

/** What else is known of an error of an option. */
export interface ConfigErrorDetails extends ErrorCause {
  /** The name of the tier whose option it is. */
  tier?: string;
}

/** The base of every error that Sluice throws. A denial is an answer and never an error. */
export class SluiceError extends Error {
  override name = 'SluiceError';
  /** The page that explains the code: a file of the package, from the working directory. */
  readonly help: string;

  constructor(
    readonly code: ErrorCode,
    message: string,
    options?: ErrorCause,
  ) {
    super(message, options);
    this.help = referencePage(`errors.md#${code.toLowerCase()}`);
  }

  static {
    // On the prototype, so that it does not appear in printed, copied or serialized errors.
    Object.defineProperty(this.prototype, BRAND, { value: true });
  }
}

/** An option that cannot work. Thrown when a policy, a tier, a limiter or a store is created. */
export class ConfigError extends SluiceError {
  override name = 'ConfigError';
  /**
   * The number or string that broke the rule. Undefined for anything else: an object may be a request, and a URL may
   * hold a password.
   */
  readonly value: unknown;
  /** The name of the tier whose option it is. Absent where it is no option of a tier. */
  readonly tier?: string;

  constructor(
    code: ErrorCode,
    /** The name of the option with its path: `windows[1].limit`. */
    readonly option: string,
    value: unknown,
    message: string,
    { tier, ...options }: ConfigErrorDetails = {},
  ) {
    super(code, message, options);
    this.value = isSafeToKeep(value) ? value : undefined;
    if (tier !== undefined) this.tier = tier;
  }
}

function isSafeToKeep(value: unknown): boolean {
  if (typeof value === 'string') return !hasCredentials(value);
  return value === null || (typeof value !== 'object' && typeof value !== 'function');
}

/** True for a string such as `redis://user:password@host`. */
export function hasCredentials(text: string): boolean {
  return /:\/\/[^/]*@/.test(text);
}

/** A wrong call: a cost that is not an integer, or a function of a tier that throws or returns nonsense. */
export class UsageError extends SluiceError {
  override name = 'UsageError';
}

/** The store failed. `cause` is its error. */
export class StoreError extends SluiceError {
  override name = 'StoreError';
}

/**
 * True for every error of Sluice, from any copy of the package and any realm.
 *
 * @example
 * if (isSluiceError(error) && error.code === 'STORE_CLOSED') return;
 */
export function isSluiceError(error: unknown): error is SluiceError {
  return typeof error === 'object' && error !== null && BRAND in error;
}
