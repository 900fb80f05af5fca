import { algorithms } from '../../algorithms/named/algorithms.js';
import type { Lease } from '../../model/claim.js';
import type { Policy } from '../../model/policy.js';
import type { OptionReader } from '../../options/option-reader.js';
import type { OptionRows, CombinationRule } from '../../options/option-row.js';

/** The names of algorithms of which a process may charge units ahead. */
export const LEASABLE: readonly string[] = algorithms().flatMap(({ name, mayLease }) => (mayLease ? [name] : []));

export const LEASE_ROWS = {
  units: { integer: [1, Number.MAX_SAFE_INTEGER], required: true },
  duration: { milliseconds: { range: '1 ms to the window', max: 3.456e13, example: "1000 or '1s'" }, required: true },
} as const satisfies OptionRows;

/** What excludes a lease. */
export const LEASE_RULES: readonly CombinationRule[] = [
  besideLease('charge', 'denied requests count in the store'),
  besideLease('record', 'the store records a string with every request'),
  besideLease('strict', 'leased units may be spent in a later window'),
  besideLease('notices', 'a mark would be reached before its units are used'),
  besideLease('usage', 'a process charges units before requests use them, and a crash would leave them on the bill'),
];

/** @throws ConfigError OPTION_INVALID */
export function readLease(options: OptionReader, policy: Policy): Lease | undefined {
  if (!options.has('lease')) return undefined;
  if (!policy.algorithm.mayLease) {
    throw options.fail('OPTION_INVALID', 'lease', `is for ${LEASABLE.join(', ')}`);
  }
  options.check(LEASE_RULES);
  const { duration } = LEASE_ROWS;
  const rows = {
    ...LEASE_ROWS,
    duration: { ...duration, milliseconds: { ...duration.milliseconds, max: policy.window } },
  };
  return options.within('lease', rows).read(rows);
}

function besideLease(beside: string, reason: string): CombinationRule {
  return { option: 'lease', beside, rule: `cannot be combined with ${beside}: ${reason}` };
}
