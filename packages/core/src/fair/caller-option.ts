import type { FairCaller } from '../algorithms/fair-policies.js';
import { callUserFunction } from '../limiter/claims/call-user-function.js';
import { invalidResult } from '../limiter/claims/invalid-result.js';
import { digestOf, identityText } from '../limiter/claims/store-keys.js';
import { isKeyFactory } from '../limiter/key-function.js';
import type { Fair } from '../limiter/tiers/fair.js';
import type { SubjectOption } from '../limiter/tiers/subject-option.js';
import type { OptionReader } from '../options/option-reader.js';
import { MAX_WEIGHT } from './caller-end.js';

/** The results of the functions of `fair`. */
type FairResults = readonly [by: unknown, weight: unknown];

/** Of the policy of a tier itself: no request is of this caller. */
const NO_CALLER: FairCaller = { caller: 0 };

/** Hexadecimal digits of 48 bits. */
const DIGITS = 12;

/** The option `fair` of a tier. @throws ConfigError OPTION_INVALID */
export function callerOption<S>(options: OptionReader, owner: string, secret: string | undefined): SubjectOption<S> {
  const { by, weight } = readFair<S>(options);
  return {
    name: 'fair',
    isOfRequest: true,
    bounds: by.bounds,
    base: NO_CALLER,
    call(subject) {
      const results: FairResults = [
        callUserFunction(owner, 'fair.by', by, subject),
        weight && callUserFunction(owner, 'fair.weight', weight, subject),
      ];
      return results.some((each) => each instanceof Promise) ? Promise.all(results) : results;
    },
    read: (results) => callerOf(owner, results as FairResults, secret),
    textOf(value) {
      const { caller, weight: its } = value as FairCaller;
      return `${caller} ${its}`;
    },
  };
}

function readFair<S>(options: OptionReader): Fair<S> {
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
function callerOf(owner: string, [by, weight = 1]: FairResults, secret: string | undefined): FairCaller {
  const text = identityText(by);
  if (text === undefined) throw invalidResult(owner, 'fair.by', 'a non-empty text, a whole number or an identity', by);
  const isWeight = typeof weight === 'number' && Number.isInteger(weight) && weight >= 1 && weight <= MAX_WEIGHT;
  if (!isWeight) throw invalidResult(owner, 'fair.weight', `an integer from 1 to ${MAX_WEIGHT}`, weight);
  const digest = Buffer.from(digestOf(text, secret), 'base64url').toString('hex');
  return { caller: Number.parseInt(digest.slice(0, DIGITS), 16), weight };
}
