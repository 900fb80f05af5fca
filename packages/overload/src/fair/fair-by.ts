import {
  type Fair,
  type FairValue,
  FUNCTION,
  type KeyFunction,
  type MaybePromise,
  type OptionRows,
  readOptions,
} from '@sluice/core/internal';
import { callerOption } from './caller-option.js';
import { NO_CALLER } from './fair-caller.js';

export interface FairOptions<S> {
  /**
   * The weight of the caller, an integer from 1 to 100: its share is the limit times its weight by the weights of all callers
   * that hold or were denied something.
   *
   * @default 1: equal shares
   */
  weight?: ((subject: S) => MaybePromise<number>) | undefined;
}

export const FAIR_ROWS = {
  by: { is: 'function', words: 'a function that returns the caller of a request', required: true },
  weight: FUNCTION,
} as const satisfies OptionRows;

/**
 * Has callers share the limit of a tier in flight: its option `fair`.
 *
 * @param by identifies the caller of a request, as `key` identifies a client
 * @throws ConfigError OPTION_INVALID
 * @example fair: fairBy(({ tenant }) => tenant, { weight: ({ plan }) => (plan === 'pro' ? 3 : 1) })
 */
export function fairBy<S>(by: KeyFunction<S>, options: FairOptions<S> = {}): Fair<S> {
  readOptions('fairBy', { ...(Object(options) as object), by }, FAIR_ROWS);
  const { weight } = options;
  return Object.freeze({
    feature: NO_CALLER.feature,
    shared: (policy, read) => NO_CALLER.shared(policy, read),
    by,
    weight,
    callersOf: (owner, secret) => callerOption({ by, weight }, owner, secret),
  } satisfies FairValue<S>);
}
