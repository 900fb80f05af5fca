import type { Lease } from '../../model/claim.js';
import { parseDuration } from '../../model/duration.js';
import type { OptionReader } from '../../options/option-reader.js';
import type { Policy } from '../../model/policy.js';

const LEASABLE: readonly string[] = ['fixed-window', 'sliding-window', 'token-bucket'];
/** What cannot stand beside a lease, and why. */
const EXCLUDED = new Map([
  ['countDenied', 'denied requests count in the store'],
  ['record', 'texts are kept by the store, with every request'],
  ['strict', 'units in hand may be spent in a later window'],
]);

/** @throws ConfigError */
export function readLease(options: OptionReader, policy: Policy): Lease | undefined {
  if (!options.has('lease')) return undefined;
  if (!LEASABLE.includes(policy.algorithm)) {
    throw options.fail('OPTION_INVALID', 'lease', `is for ${LEASABLE.join(', ')}`);
  }
  for (const [name, reason] of EXCLUDED) {
    if (options.has(name) && options.value(name) !== false) {
      throw options.fail('OPTION_INVALID', 'lease', `must not stand beside ${name}: ${reason}`);
    }
  }
  const lease = options.value('lease');
  const { max, horizon } = Object(lease) as { max?: unknown; horizon?: unknown };
  const microseconds = parseDuration(horizon);
  const isSize = typeof max === 'number' && Number.isSafeInteger(max) && max >= 1;
  const isHorizon = microseconds !== undefined && microseconds >= 1e3 && microseconds <= policy.window;
  const isKnown = Object.keys(Object(lease) as object).every((name) => name === 'max' || name === 'horizon');
  if (isSize && isHorizon && isKnown) return { max, horizon: microseconds / 1e3 };
  throw options.fail(
    'OPTION_INVALID',
    'lease',
    "must be { max: an integer of at least 1, horizon: a duration from 1 ms to the window }, such as { max: 50, horizon: '1s' }",
  );
}
