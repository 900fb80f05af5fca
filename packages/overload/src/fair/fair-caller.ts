import { type Feature, FEATURE, type OptionReader, type PermitPolicy, type SharedLimit } from '@sluice/core/internal';
import { callerEnd, type CallerEnd } from './caller-end.js';
import { sharedPermits } from './shared-permits.js';
import { Turns } from './turns.js';

/** The highest limit that callers share: a contended decision reads the names of all units. */
const MAX_SHARED = 1_000;

const feature: Feature<'fair'> = { form: FEATURE, name: 'fair' };

/** A caller that a policy decides about. */
export class FairCaller implements SharedLimit, CallerEnd {
  /** A number that stands for the caller, from 0 to 2^48 - 1. */
  readonly caller: number;
  /** Its part of the limit, from 1 to 100: a caller of weight 2 may hold twice as much as one of weight 1. */
  readonly weight: number;

  constructor(caller: number, weight = 1) {
    this.caller = caller;
    this.weight = weight;
  }

  get feature(): Feature<'fair'> {
    return feature;
  }

  shared(policy: PermitPolicy, options: OptionReader): PermitPolicy {
    options.one('limit', { code: 'LIMIT_INVALID', integer: [1, MAX_SHARED] });
    const { caller, weight } = this;
    return Object.freeze({
      ...policy,
      algorithm: sharedPermits,
      caller: callerEnd(this),
      weight,
      turns: (isCrowded) => new Turns(isCrowded),
      // The Lua twin reads the caller and its weight behind the others.
      numbers: [...policy.numbers, caller, weight],
    } satisfies PermitPolicy);
  }
}

/** Of the policy of a tier itself: no request is of this caller. */
export const NO_CALLER = new FairCaller(0);
