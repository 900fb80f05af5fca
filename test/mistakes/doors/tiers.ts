import {
  byApiKey,
  byHeader,
  byIp,
  byJwtSubject,
  bySession,
  byTarget,
  createLimiter,
  type LimiterOptions,
} from '@sluice/http';
import { windows } from '../../support/windows.js';
import type { Door, Mistake } from '../door.js';
import { usage } from '@sluice/quotas';

const rate = { limit: 10, window: '1m' };
const ban = { algorithm: 'backoff', charge: 'denied', limit: 5, window: '1d', delays: ['1h'] };
const tenSeconds = { units: 5, duration: '10s' };
const lasting = 'lease.duration must be a duration from 1 ms to the window';

/** One tier: what its options are, whatever its algorithm. */
export const tiers: readonly Door[] = [
  of('a rate', rate, [
    ['LIMIT_INVALID', 'limit', 'must be an integer from 1 to 4294967295', { limit: 1.5 }],
    ['LIMIT_INVALID', 'limit', 'must be a number, not text: write Number(process.env.', { limit: '100' }],
    ['LIMIT_INVALID', 'limit', 'must be at least 1: to deny every request, write limit: () => 0', { limit: 0 }],
    ['LIMIT_INVALID', 'limit', 'for no limit, write limit: () => null', { limit: -1 }],
    ['LIMIT_INVALID', 'limit', 'for no limit, write limit: () => null', { limit: Infinity }],
    ['LIMIT_INVALID', 'limit', 'for no limit, write limit: () => null', { limit: null }],
    ['LIMIT_INVALID', 'limit', 'must be an integer from 1 to 4294967295', { limit: Number.NaN }],
    ['LIMIT_INVALID', 'limit', 'must be an integer from 1 to 4294967295', { limit: 1e15 }],
    ['LIMIT_INVALID', 'limit', 'is missing: it must be an integer from 1 to 4294967295', { limit: undefined }],
    ['WINDOW_INVALID', 'window', "in ms, s, m, h, d or w: write '1m'", { window: '1 minute' }],
    ...['1mo', '6 months', 'month', 'monthly', '1y', '2 years', 'yearly'].map((window): Mistake => [
      'WINDOW_INVALID',
      'window',
      "for a month write algorithm: 'fixed-window', period: 'month'",
      { window },
    ]),
    ...['*/5 * * * *', '0 9-17 * * 1-5', '@hourly', '0 */5 * * * *'].map((window): Mistake => [
      'WINDOW_INVALID',
      'window',
      "is no schedule: write '5m' for five minutes",
      { window },
    ]),
    ...['dry-run', 'dryRun', 'dry', 'report-only', 'log_only', 'test'].map((mode): Mistake => [
      'OPTION_INVALID',
      'mode',
      "write 'shadow' for a dry run",
      { mode },
    ]),
    ['KEY_INVALID', 'key', 'must be a function of the subject: write byIp(), got "ip"', { key: 'ip' }],
    ['LIMIT_INVALID', 'limit', 'the variable that it is read from is not set', { limit: Number.NaN }],
    ['LIMIT_INVALID', 'limit', 'write Number(…), got the bigint 10n', { limit: 10n }],
    ['WINDOW_INVALID', 'window', "is missing: it must be a duration, such as '1m'", { window: undefined }],
    ['PRECISION_INVALID', 'window', 'precisions that do are 13 and 77', { window: 1.001, strict: true }],
    ['COST_INVALID', 'cost', 'must be an integer of at least 1', { cost: 0 }],
    ['COST_INVALID', 'cost', 'must be an integer of at least 1', { cost: 1.5 }],
    ['COST_INVALID', 'cost', 'must be at most 10, or no request ever fits', { cost: 11 }],
    ['KEY_INVALID', 'key', 'must be what byIp returns: write byIp()', { key: byIp }],
    ['KEY_INVALID', 'key', 'returns: write byApiKey()', { key: byApiKey }],
    ['KEY_INVALID', 'key', 'returns: write byJwtSubject()', { key: byJwtSubject }],
    ['KEY_INVALID', 'key', 'returns: write bySession()', { key: bySession }],
    ['KEY_INVALID', 'key', "what byHeader returns: write byHeader('x-tenant')", { key: byHeader }],
    ['KEY_INVALID', 'key', "what byTarget returns: write byTarget('phone', (request) => …)", { key: byTarget }],
    ['KEY_INVALID', 'key', 'must be a function of the subject', { key: 'ip' }],
    ['KEY_INVALID', 'key', 'is missing: it must be a function of the subject', { key: undefined }],
    ['OPTION_INVALID', 'unit', 'must be 1 to 32 lower-case letters', { unit: 'Tokens' }],
    ['OPTION_INVALID', 'unit', "such as 'tokens'", { unit: 'x'.repeat(33) }],
    ['OPTION_INVALID', 'aboveFull', 'must be one of "never", "all"', { aboveFull: 'some' }],
    ['OPTION_INVALID', 'mode', 'must be one of "enforce", "shadow"', { mode: 'loud' }],
    ['OPTION_INVALID', 'charge', 'must be one of "admitted", "denied", "all"', { charge: 1 }],
    ['OPTION_INVALID', 'record', 'must be a function of the subject', { record: 'ip' }],
    ['OPTION_INVALID', 'label', 'must be a function of the subject', { label: 'ip' }],
    ...['10', '101%', '-1%', '1.234%', 10, null, '٣%'].map((enforce): Mistake => [
      'OPTION_INVALID',
      'enforce',
      "must be a string from '0%' to '100%'",
      { enforce },
    ]),
    ...['shadow', 'off'].map((mode): Mistake => [
      'OPTION_INVALID',
      'enforce',
      "enforce must stand beside mode: 'enforce'",
      { enforce: '10%', mode },
    ]),
    ['OPTION_INVALID', 'onStoreFailure', 'got 503', { onStoreFailure: 503 }],
    [
      'OPTION_INVALID',
      'usage',
      "import { usage } from '@sluice/quotas', and write usage: usage(), got true",
      { usage: true },
    ],
    ['OPTION_INVALID', 'usage', 'must be what usage() returns', { usage: false }],
    ['OPTION_UNKNOWN', 'covers', "and write algorithm: balance({ covers: ['month'] })", { covers: ['month'] }],
    ['OPTION_UNKNOWN', 'limt', 'did you mean limit?', { limt: 5 }],
    ['OPTION_UNKNOWN', 'burst', 'of token-bucket: set', { algorithm: 'fixed-window', burst: 5 }],
    ['OPTION_UNKNOWN', 'strict', 'of sliding-window: set algorithm', { algorithm: 'fixed-window', strict: true }],
    ['OPTION_UNKNOWN', 'max', 'is called limit here', { max: 5 }],
    ['OPTION_UNKNOWN', 'keyGenerator', 'is called key here', { keyGenerator: Math.random }],
    ['OPTION_UNKNOWN', 'colour', 'is not an option here', { colour: 'red' }],
  ]),
  of('several windows', { algorithm: 'multi-window', windows: windows([5, '1s'], [9, '1m']) }, [
    ['WINDOW_INVALID', 'windows', 'must be an array of at least two', { windows: windows([5, '1m']) }],
    ['OPTION_UNKNOWN', 'windows[1].limt', 'limit?', { windows: [...windows([5, '1s']), { limt: 9, window: '1m' }] }],
  ]),
  of('a limit function', { limit: () => 1_000, window: '1s' }, [
    ['WINDOW_INVALID', 'window', 'must be a duration', { window: '0s' }],
    ['PRECISION_INVALID', 'precision', 'precisions that do', { precision: 7 }],
    ['BURST_INVALID', 'burst', 'from 1', { algorithm: 'token-bucket', burst: 0 }],
  ]),
  of(
    'a pause',
    { algorithm: 'pause' },
    Object.entries({
      charge: 'all',
      cost: 2,
      unit: 'tokens',
      aboveFull: 'all',
      record: () => 'text',
      lease: tenSeconds,
    }).map(([option, value]): Mistake => [
      'OPTION_INVALID',
      option,
      `tier "hour" (pause): ${option} cannot be combined with pause, which charges no request: leave it out`,
      { [option]: value },
    ]),
  ),
  of('a ban', ban, [
    [
      'OPTION_INVALID',
      'forgive',
      "cannot be combined with charge: 'denied', because no success forgives a ban: leave it out",
      { forgive: 'one' },
    ],
    ['OPTION_INVALID', 'forgive', 'forgive is missing', { charge: 'admitted' }],
  ]),
  of('a lease', { ...rate, lease: tenSeconds }, [
    ...['sliding-window-log', 'leaky-bucket'].map((algorithm): Mistake => [
      'OPTION_INVALID',
      'lease',
      `tier "hour" (${algorithm}): lease is for fixed-window, sliding-window, token-bucket, got an object`,
      algorithm === 'leaky-bucket' ? { algorithm, queue: 3 } : { algorithm },
    ]),
    [
      'OPTION_INVALID',
      'lease',
      'lease is for',
      { algorithm: 'multi-window', limit: undefined, window: undefined, windows: windows([2, '1s'], [9, '1m']) },
    ],
    ['OPTION_INVALID', 'lease', 'with charge: denied requests count in the store', { charge: 'all' }],
    ['OPTION_INVALID', 'lease', 'with record: the store records a string', { record: () => 'a text' }],
    ['OPTION_INVALID', 'lease', 'with usage: a process charges units before requests use them', { usage: usage() }],
    ['OPTION_INVALID', 'lease', 'with strict: leased units may be spent in a later window', { strict: true }],
    ...[5, null, { duration: '1s' }].map((lease): Mistake => [
      'OPTION_INVALID',
      'lease.units',
      'is missing: it must be an integer of',
      { lease },
    ]),
    ['OPTION_INVALID', 'lease.units', 'of at least 1, got 0', { lease: { units: 0, duration: '1s' } }],
    ['OPTION_INVALID', 'lease.units', 'of at least 1, got 1.5', { lease: { units: 1.5, duration: '1s' } }],
    ['OPTION_INVALID', 'lease.units', 'must be a number, not text', { lease: { units: '5', duration: '1s' } }],
    [
      'OPTION_INVALID',
      'lease.duration',
      'lease.duration is missing: it must be a duration from 1 ms to the window',
      { lease: { units: 5 } },
    ],
    ['OPTION_INVALID', 'lease.duration', `${lasting}: write '0.5s'`, { lease: { units: 5, duration: 0.5 } }],
    ['OPTION_INVALID', 'lease.duration', `${lasting}, such as 1000`, { lease: { units: 5, duration: '61s' } }],
    ['OPTION_UNKNOWN', 'lease.min', 'known are units, duration', { lease: { ...tenSeconds, min: 1 } }],
  ]),
];

function of(tier: string, right: object, mistakes: readonly Mistake[]): Door {
  return {
    name: `a tier with ${tier}`,
    owner: 'tier "hour"',
    values: 'kept',
    make: (wrong: object) => createLimiter(only({ key: () => 'ada', ...right, ...wrong })),
    mistakes,
  };
}

function only(tier: object): LimiterOptions<unknown> {
  return { tiers: [{ name: 'hour', ...tier }] } as unknown as LimiterOptions<unknown>;
}
