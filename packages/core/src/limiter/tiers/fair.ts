import type { FairCaller } from '../../algorithms/concurrency/fair.js';
import type { MaybePromise } from '../../async/maybe-promise.js';
import type { OptionReader } from '../../options/option-reader.js';
import { digestOf, identityText } from '../claims/store-keys.js';
import { invalidResult } from '../claims/invalid-result.js';
import { isKeyFactory, type KeyFunction } from '../key-function.js';

/** How callers share the limit of a concurrency tier. */
export interface Fair<S> {
  /** Identifies the caller of a request, as `key` identifies a client. */
  by: KeyFunction<S>;
  /**
   * The weight of the caller, an integer from 1 to 100: its share is the limit times its weight by the weights of all callers
   * that hold or were denied something.
   *
   * @default 1: equal shares
   */
  weight?: (subject: S) => MaybePromise<number>;
}

/** The results of the functions of `fair`. */
export type FairValues = readonly [by: unknown, weight: unknown];

/** Of the policy of a tier itself: no request is of this caller. */
export const NO_CALLER: FairCaller = { caller: 0 };

/** Hexadecimal digits of 48 bits. */
const DIGITS = 12;

/** @throws ConfigError OPTION_INVALID */
export function readFair<S>(options: OptionReader): Fair<S> | undefined {
  if (!options.has('fair')) return undefined;
  const given = options.value('fair');
  if (typeof given !== 'object' || given === null) {
    throw options.fail('OPTION_INVALID', 'fair', 'must be an object: write fair: { by: ({ tenant }) => tenant }');
  }
  const fair = options.within('fair', ['by', 'weight']);
  const by = fair.value('by');
  if (typeof by === 'function' && isKeyFactory(by)) {
    throw fair.fail('OPTION_INVALID', 'by', `must be what ${by.name} returns: write ${by.name}()`);
  }
  if (by === undefined) throw fair.missing('OPTION_INVALID', 'by', 'a function that returns the caller of a request');
  if (typeof by !== 'function') throw fair.fail('OPTION_INVALID', 'by', 'must be a function of the subject');
  fair.function('weight', fair.value('weight'));
  return given as Fair<S>;
}

/** @throws UsageError FUNCTION_FAILED for a result that is no identity, or no weight */
export function callerOf(owner: string, [by, weight = 1]: FairValues, secret: string | undefined): FairCaller {
  const text = identityText(by);
  if (text === undefined) throw invalidResult(owner, 'fair.by', 'a non-empty text, a whole number or an identity', by);
  const isWeight = typeof weight === 'number' && Number.isInteger(weight) && weight >= 1 && weight <= 100;
  if (!isWeight) throw invalidResult(owner, 'fair.weight', 'an integer from 1 to 100', weight);
  const digest = Buffer.from(digestOf(text, secret), 'base64url').toString('hex');
  return { caller: Number.parseInt(digest.slice(0, DIGITS), 16), weight };
}
