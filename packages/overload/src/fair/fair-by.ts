import {
  type Fair,
  type FairValue,
  isKeyFactory,
  type KeyFunction,
  type MaybePromise,
  OptionReader,
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

/**
 * Has callers share the limit of a concurrency tier: its option `fair`.
 *
 * @param by identifies the caller of a request, as `key` identifies a client
 * @throws ConfigError OPTION_INVALID
 * @example fair: fairBy(({ tenant }) => tenant, { weight: ({ plan }) => (plan === 'pro' ? 3 : 1) })
 */
export function fairBy<S>(by: KeyFunction<S>, options: FairOptions<S> = {}): Fair<S> {
  const reader = new OptionReader('fairBy', { ...(Object(options) as object), by }, ['by', 'weight']);
  if (typeof by === 'function' && isKeyFactory(by)) {
    throw reader.fail('OPTION_INVALID', 'by', `must be what ${by.name} returns: write fairBy(${by.name}())`);
  }
  if (by === undefined) throw reader.missing('OPTION_INVALID', 'by', 'a function that returns the caller of a request');
  if (typeof by !== 'function') throw reader.fail('OPTION_INVALID', 'by', 'must be a function of the subject');
  const weight = reader.function('weight', options.weight);
  return Object.freeze({
    feature: NO_CALLER.feature,
    shared: (policy, read) => NO_CALLER.shared(policy, read),
    by,
    weight,
    callersOf: (owner, secret) => callerOption({ by, weight }, owner, secret),
  } satisfies FairValue<S>);
}
