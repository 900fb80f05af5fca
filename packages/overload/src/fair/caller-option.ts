import {
  callUserFunction,
  digestOf,
  type Fair,
  identityText,
  invalidResult,
  type SubjectOption,
} from '@sluice/core/internal';
import { FairCaller, NO_CALLER } from './fair-caller.js';

/** The results of the functions of `fair`. */
type FairResults = readonly [by: unknown, weight: unknown];

const MAX_WEIGHT = 100;

/** Hexadecimal digits of 48 bits. */
const DIGITS = 12;

/** The option `fair` of a tier. @param owner the first words of messages */
export function callerOption<S>(
  { by, weight }: Pick<Fair<S>, 'by' | 'weight'>,
  owner: string,
  secret: string | undefined,
): SubjectOption<S> {
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

/** @throws UsageError FUNCTION_FAILED for a result that is no identity, or no weight */
function callerOf(owner: string, [by, weight = 1]: FairResults, secret: string | undefined): FairCaller {
  const text = identityText(by);
  if (text === undefined) throw invalidResult(owner, 'fair.by', 'a non-empty text, a whole number or an identity', by);
  const isWeight = typeof weight === 'number' && Number.isInteger(weight) && weight >= 1 && weight <= MAX_WEIGHT;
  if (!isWeight) throw invalidResult(owner, 'fair.weight', `an integer from 1 to ${MAX_WEIGHT}`, weight);
  const digest = Buffer.from(digestOf(text, secret), 'base64url').toString('hex');
  return new FairCaller(Number.parseInt(digest.slice(0, DIGITS), 16), weight);
}
