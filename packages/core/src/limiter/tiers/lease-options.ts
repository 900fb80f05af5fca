import type { Lease } from '../../model/claim.js';
import type { Policy } from '../../model/policy.js';
import type { DurationRange } from '../../options/duration-rule.js';
import type { OptionReader } from '../../options/option-reader.js';

const LEASABLE: readonly string[] = ['fixed-window', 'sliding-window', 'token-bucket'];
/** Options that exclude a lease, each with the reason. */
const EXCLUDED = new Map([
  ['charge', 'denied requests count in the store'],
  ['record', 'the store records a string with every request'],
  ['strict', 'leased units may be spent in a later window'],
  ['notices', 'a mark would be reached before its units are used'],
  ['usage', 'a process charges units before requests use them, and a crash would leave them on the bill'],
]);

/** The values of options that exclude nothing. */
const OFF: ReadonlySet<unknown> = new Set([false, 'admitted']);

/** @throws ConfigError OPTION_INVALID */
export function readLease(options: OptionReader, policy: Policy): Lease | undefined {
  if (!options.has('lease')) return undefined;
  if (!LEASABLE.includes(policy.algorithm.name)) {
    throw options.fail('OPTION_INVALID', 'lease', `is for ${LEASABLE.join(', ')}`);
  }
  for (const [name, reason] of EXCLUDED) {
    if (options.has(name) && !OFF.has(options.value(name))) {
      throw options.fail('OPTION_INVALID', 'lease', `cannot be combined with ${name}: ${reason}`);
    }
  }
  const lease = options.within('lease', ['units', 'duration']);
  const range: DurationRange = { range: '1 ms to the window', max: policy.window, example: "1000 or '1s'" };
  return {
    units: lease.integer('OPTION_INVALID', 'units'),
    duration: lease.milliseconds('duration', undefined, range),
  };
}
