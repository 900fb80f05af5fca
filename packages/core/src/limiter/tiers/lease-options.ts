import type { Lease } from '../../model/claim.js';
import { parseDuration } from '../../model/duration.js';
import type { Policy } from '../../model/policy.js';
import type { OptionReader } from '../../options/option-reader.js';

const LEASABLE: readonly string[] = ['fixed-window', 'sliding-window', 'token-bucket'];
/** Options that exclude a lease, each with the reason. */
const EXCLUDED = new Map([
  ['charge', 'denied requests count in the store'],
  ['record', 'the store records a text with every request'],
  ['strict', 'leased units may be spent in a later window'],
]);

/** The values of options that exclude nothing. */
const OFF: ReadonlySet<unknown> = new Set([false, 'admitted']);

/** @throws ConfigError OPTION_INVALID */
export function readLease(options: OptionReader, policy: Policy): Lease | undefined {
  if (!options.has('lease')) return undefined;
  if (!LEASABLE.includes(policy.algorithm)) {
    throw options.fail('OPTION_INVALID', 'lease', `is for ${LEASABLE.join(', ')}`);
  }
  for (const [name, reason] of EXCLUDED) {
    if (options.has(name) && !OFF.has(options.value(name))) {
      throw options.fail('OPTION_INVALID', 'lease', `must not stand beside ${name}: ${reason}`);
    }
  }
  const lease = Object(options.value('lease')) as { units?: unknown; duration?: unknown };
  const { units, duration } = lease;
  const microseconds = parseDuration(duration);
  const hasUnits = typeof units === 'number' && Number.isSafeInteger(units) && units >= 1;
  const hasDuration = microseconds !== undefined && microseconds >= 1e3 && microseconds <= policy.window;
  const isKnown = Object.keys(lease).every((name) => name === 'units' || name === 'duration');
  if (hasUnits && hasDuration && isKnown) return { units, duration: microseconds / 1e3 };
  throw options.fail(
    'OPTION_INVALID',
    'lease',
    "must be { units: an integer of at least 1, duration: from 1 ms to the window }, such as { units: 50, duration: '1s' }",
  );
}
