import { processWide } from '../model/process-wide.js';
import type { Policy } from '../model/policy.js';
import type { OptionReader } from '../options/option-reader.js';
import type { FixedWindowPolicy } from './fixed-window/window-policy.js';

/** What `@sluice/core/quotas` adds to policies. */
export interface QuotaPolicies {
  /** The policy of a window that gives the notices of its options. @throws ConfigError */
  noticed(window: FixedWindowPolicy, options: OptionReader): FixedWindowPolicy;
  /** The same policy, whose units are counted by hours. */
  counted(policy: Policy): Policy;
}

const opened = processWide<{ room?: QuotaPolicies }>('quotas', () => ({}));

/** Gives the room to all copies of this package, when a program imports it. */
export function openQuotas(room: QuotaPolicies): void {
  opened.room ??= room;
}

/** Undefined where no program has imported the room. */
export function quotas(): QuotaPolicies | undefined {
  return opened.room;
}

/** The room of an option. @throws ConfigError OPTION_INVALID that says what to import */
export function quotasFor(options: OptionReader, option: string): QuotaPolicies {
  if (opened.room !== undefined) return opened.room;
  const rule = `belongs to @sluice/core/quotas, which no file has imported: write import '@sluice/core/quotas'`;
  throw options.fail('OPTION_INVALID', option, rule);
}
