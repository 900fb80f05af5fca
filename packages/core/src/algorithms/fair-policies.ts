import { processWide } from '../model/process-wide.js';
import type { OptionReader } from '../options/option-reader.js';
import type { PermitPolicy } from './concurrency/permit-policy.js';

/** The caller that a policy decides about, where callers share its limit. */
export interface FairCaller {
  /** A number that stands for the caller, from 0 to 2^48 - 1. */
  caller: number;
  /**
   * Its part of the limit, from 1 to 100: a caller of weight 2 may hold twice as much as one of weight 1.
   *
   * @default 1
   */
  weight?: number;
}

/** What `@sluice/core/fair` adds to policies. */
export interface FairPolicies {
  /** The policy of the caller in the options. @throws ConfigError */
  shared(policy: PermitPolicy, options: OptionReader): PermitPolicy;
}

const opened = processWide<{ room?: FairPolicies }>('fair', () => ({}));

/** Gives the room to all copies of this package, when a program imports it. */
export function openFair(room: FairPolicies): void {
  opened.room ??= room;
}

/** The room of the option `fair`. @throws ConfigError OPTION_INVALID that says what to import */
export function fairFor(options: OptionReader): FairPolicies {
  if (opened.room !== undefined) return opened.room;
  const rule = `belongs to @sluice/core/fair, which no file has imported: write import '@sluice/core/fair'`;
  throw options.fail('OPTION_INVALID', 'fair', rule);
}
