import type { PermitPolicy } from '../algorithms/concurrency/permit-policy.js';
import type { FairTiers } from '../limiter/tiers/subject-option.js';
import { callerEnd, readCallerEnd } from './caller-end.js';
import { callerOption } from './caller-option.js';
import { sharedConcurrency } from './shared-concurrency.js';

/** The highest limit that callers share: a contended decision reads the names of all units. */
const MAX_SHARED = 1_000;

/** Shares of a limit in flight, as policies and tiers use them. */
export const fairRoom: FairTiers = {
  callersOf: callerOption,

  shared(policy, options): PermitPolicy {
    options.integer('LIMIT_INVALID', 'limit', { max: MAX_SHARED });
    const end = readCallerEnd(options);
    return Object.freeze({
      ...policy,
      algorithm: sharedConcurrency,
      caller: callerEnd(end),
      weight: end.weight,
      // The Lua twin reads the caller and its weight behind the others.
      numbers: [...policy.numbers, end.caller, end.weight],
    } satisfies PermitPolicy);
  },
};
