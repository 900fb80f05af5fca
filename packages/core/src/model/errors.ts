/** What went wrong, in one word that a program can test. */
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

/** Known to every copy of the package and in every realm, where neither class nor name says whose an error is. */
const BRAND = Symbol.for('sluice.error');

/** The base of every error that Sluice throws. A denial is an answer and never an error. */
export class SluiceError extends Error {
  override name = 'SluiceError';

  constructor(
    readonly code: ErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  static {
    // On the prototype, so that nobody sees it who prints, copies or serializes an error.
    Object.defineProperty(this.prototype, BRAND, { value: true });
  }
}

/** An option that cannot work, found when a policy, a tier, a limiter or a store is made. */
export class ConfigError extends SluiceError {
  override name = 'ConfigError';

  constructor(
    code: ErrorCode,
    /** The option's name, with its path: `windows[1].limit`. */
    readonly option: string,
    readonly value: unknown,
    message: string,
    options?: ErrorOptions,
  ) {
    super(code, message, options);
  }
}

/** A call that cannot be answered: a function of a tier threw or returned nonsense, or a cost is no integer. */
export class UsageError extends SluiceError {
  override name = 'UsageError';
}

/** The store could not answer. `cause` is what it said. */
export class StoreError extends SluiceError {
  override name = 'StoreError';
}

/** True for every error of Sluice, whichever copy of the package made it, in whichever realm. */
export function isSluiceError(error: unknown): error is SluiceError {
  return typeof error === 'object' && error !== null && BRAND in error;
}
