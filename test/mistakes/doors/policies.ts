import { byApiKey } from '@sluice/http';
import { fairBy } from '@sluice/overload/fair';
import { notices, usage } from '@sluice/quotas';
import { definePolicy } from '../../../packages/core/src/algorithms/named/policy-options.js';
import { windows } from '../../support/windows.js';
import type { Door, Mistake } from '../door.js';

const month = { algorithm: 'fixed-window', limit: 2, period: 'month' };
const standsAlone = 'cannot be combined with period, which has its own length: leave it out';
const zone = "must be a time zone of IANA, such as 'Europe/Berlin'";
const imported =
  "notices must be what notices() returns: import { notices } from '@sluice/quotas', and write notices: notices(0.75, 0.9)";
const parts =
  'must be given 1 to 8 parts of the limit in rising order, above 0 and at most 1, such as notices(0.75, 0.9, 1), got ';

/** The policy of each algorithm: right options, and those that replace them. */
export const policies: readonly Door[] = [
  of('a fixed window', { algorithm: 'fixed-window', limit: 10, window: '1s' }, [
    ['LIMIT_INVALID', 'limit', 'must be at least 1: to deny every request, write limit: () => 0', { limit: 0 }],
    ['LIMIT_INVALID', 'limit', 'from 1 to 4294967295', { limit: 2 ** 32 }],
    ['LIMIT_INVALID', 'limit', 'must be an integer', { limit: 1.5 }],
    ['LIMIT_INVALID', 'limit', 'must be a number, not text', { limit: '10' }],
    ['WINDOW_INVALID', 'window', 'must be a duration', { window: '1 fortnight' }],
    ['WINDOW_INVALID', 'window', 'from 1 ms to 400 days', { window: 0.5 }],
    ['WINDOW_INVALID', 'window', 'from 1 ms to 400 days', { window: '401d' }],
    ['OPTION_INVALID', 'anchor', 'must be one of "first", "clock"', { anchor: 'last' }],
    ['OPTION_INVALID', 'timeZone', "needs a period: write period: 'month' in place of window", { timeZone: 'UTC' }],
    ...['7d', '1w', '2w', '336h', '8w'].map((window): Mistake => [
      'OPTION_INVALID',
      'anchor',
      "must be 'first' for a window of whole weeks: by the clock it would end on Thursdays at 00:00 UTC, because " +
        "1970-01-01 was one. Write period: 'week' in place of window and anchor for weeks of a calendar",
      { window, anchor: 'clock' },
    ]),
    ['OPTION_UNKNOWN', 'burst', 'known are algorithm, limit, window, anchor', { burst: 5 }],
  ]),
  of('a period', month, [
    ['OPTION_INVALID', 'period', 'must be one of "day", "week", "month", "year"', { period: 'fortnight' }],
    ['OPTION_INVALID', 'window', standsAlone, { window: '30d' }],
    ['OPTION_INVALID', 'anchor', standsAlone, { anchor: 'clock' }],
    ['OPTION_INVALID', 'timeZone', zone, { timeZone: 'Europe/Bärlin' }],
    ['OPTION_INVALID', 'timeZone', zone, { timeZone: 60 }],
    ['OPTION_INVALID', 'startsOn', 'must be a day of a month, 1 to 31', { startsOn: 32 }],
    ['OPTION_INVALID', 'startsOn', 'must be a day of a month, 1 to 31', { startsOn: 'monday' }],
    ...['0 0 1 * *', '0 0 * * MON', '@monthly', '0 0 0 1 * *'].map((period): Mistake => [
      'OPTION_INVALID',
      'period',
      "is no schedule: write period: 'month'",
      { period },
    ]),
    ...['hour', 'hourly', '1h', '1 hour'].map((period): Mistake => [
      'OPTION_INVALID',
      'period',
      "is no hour: write window: '1h', anchor: 'clock'",
      { period },
    ]),
    ...['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'].map(
      (day, startsOn): Mistake => [
        'OPTION_INVALID',
        'startsOn',
        `must be a weekday: write '${day}'`,
        { period: 'week', startsOn },
      ],
    ),
    ['OPTION_INVALID', 'startsOn', '(did you mean "monday"?)', { period: 'week', startsOn: 'Mon' }],
    ['OPTION_INVALID', 'startsOn', "must be a month and a day, such as '04-01'", { period: 'year', startsOn: '4-1' }],
    ['OPTION_INVALID', 'startsOn', 'must be left out: a day begins with itself', { period: 'day', startsOn: 1 }],
    ['OPTION_INVALID', 'notices', `${imported}, got an array of 2`, { notices: [0.75, 0.9] }],
    ['OPTION_INVALID', 'notices', `${imported}, got 0.9`, { notices: 0.9 }],
    ['OPTION_INVALID', 'notices', imported, { notices: usage() }],
    ['OPTION_INVALID', 'notices', imported, { notices: JSON.parse(JSON.stringify(notices(0.9))) }],
  ]),
  of('a sliding window', { algorithm: 'sliding-window', limit: 10, window: '1m' }, [
    ['OPTION_INVALID', 'algorithm', 'must be one of "fixed-window"', { algorithm: 'lottery' }],
    ['PRECISION_INVALID', 'precision', 'from 1 to 250', { precision: 0 }],
    ['PRECISION_INVALID', 'precision', 'from 1 to 250', { precision: 251 }],
    ['PRECISION_INVALID', 'precision', 'the nearest precisions that do are 5 and 8', { window: '1s', precision: 7 }],
    ['PRECISION_INVALID', 'precision', '25 and 40', { window: 1, strict: true, precision: 30 }],
    ['PRECISION_INVALID', 'window', '50 slots divide a window of 1.001ms', { window: '1.001ms', strict: true }],
    ['LIMIT_INVALID', 'limit', 'at most 130312489 for this window', { limit: 2 ** 32 - 1, window: '400d' }],
    ['WINDOW_INVALID', 'window', 'a multiple of 100ms: the nearest window is 1d', { limit: 1e9, window: 86_400_007 }],
    ['WINDOW_INVALID', 'window', 'the nearest window is 1d', { limit: 1e9, window: 86_400_003, precision: 3 }],
    ['OPTION_INVALID', 'strict', 'one of true, false', { strict: 'yes' }],
    ['OPTION_UNKNOWN', 'precison', 'did you mean precision?', { precison: 5 }],
  ]),
  of('a log', { algorithm: 'sliding-window-log', limit: 10, window: '1m' }, [
    ['LIMIT_INVALID', 'limit', 'from 1 to 10000', { limit: 10_001 }],
    ['LIMIT_INVALID', 'limit', 'must be at least 1: to deny every request, write limit: () => 0', { limit: 0 }],
    ['WINDOW_INVALID', 'window', 'window is missing', { window: undefined }],
    ['OPTION_UNKNOWN', 'precision', 'known are algorithm, limit, window', { precision: 2 }],
  ]),
  of('several windows', { algorithm: 'multi-window', windows: windows([10, '1s'], [100, '1m']) }, [
    ['WINDOW_INVALID', 'windows', 'at least two', { windows: [] }],
    ['WINDOW_INVALID', 'windows', 'at least two', { windows: '1s' }],
    ['WINDOW_INVALID', 'windows', '1s is there twice', { windows: windows([1, '1s'], [2, 1000]) }],
    ['WINDOW_INVALID', 'windows', 'have 3600 of 1s: use a tier for each', { windows: windows([1, '1s'], [2, '1h']) }],
    ['WINDOW_INVALID', 'windows[1].window', 'must be a duration', { windows: windows([5, '1s'], [9, '1x']) }],
    ['LIMIT_INVALID', 'windows[1].limit', 'must be an integer from 1', { windows: windows([1, '1s'], [0, '1m']) }],
    ['LIMIT_INVALID', 'windows[1].limit', 'is missing', { windows: [{ limit: 1, window: '1s' }, null] }],
    ['LIMIT_INVALID', 'windows', 'at most 260624978', { windows: windows([2 ** 32 - 1, '400d'], [1, '200d']) }],
    [
      'OPTION_UNKNOWN',
      'windows[0].burst',
      'known are limit, window',
      { windows: [{ limit: 1, window: '1s', burst: 2 }, ...windows([1, '1m'])] },
    ],
    ['OPTION_UNKNOWN', 'window', 'did you mean windows?', { window: '1m' }],
    ['OPTION_UNKNOWN', 'limit', 'known are algorithm, windows, precision', { limit: 5 }],
    ['PRECISION_INVALID', 'precision', 'must divide 1s', { precision: 7 }],
    ['PRECISION_INVALID', 'precision', 'from 1 to 250', { precision: 251 }],
  ]),
  of('a token bucket', { algorithm: 'token-bucket', limit: 10, window: '1m' }, [
    ['LIMIT_INVALID', 'limit', 'from 1 to 90000000', { limit: 90_000_001 }],
    ['BURST_INVALID', 'burst', 'from 1 to 90000000', { burst: 0 }],
    ['BURST_INVALID', 'burst', 'from 1 to 90000000', { burst: 90_000_001 }],
    ['BURST_INVALID', 'burst', 'from 1', { burst: null }],
    ['BURST_INVALID', 'burst', 'within 400 days: at this rate at most 400 do', { limit: 1, window: '1d', burst: 401 }],
    ['OPTION_INVALID', 'overdraft', 'from 0 to 10000000', { overdraft: -1 }],
    ['OPTION_INVALID', 'overdraft', 'from 0 to 10000000', { overdraft: 10_000_001 }],
    ['OPTION_INVALID', 'overdraft', 'at most 300 do', { limit: 1, window: '1d', burst: 100, overdraft: 301 }],
    ['OPTION_UNKNOWN', 'brust', 'did you mean burst?', { brust: 1 }],
  ]),
  of('a leaky bucket', { algorithm: 'leaky-bucket', limit: 10, window: '1m', queue: 5 }, [
    ['QUEUE_INVALID', 'queue', 'from 0 to 89999999', { queue: -1 }],
    ['QUEUE_INVALID', 'queue', 'from 0 to 89999999', { queue: 1.5 }],
    ['QUEUE_INVALID', 'queue', 'at this rate at most 399 do', { limit: 1, window: '1d', queue: 400 }],
    [
      'QUEUE_INVALID',
      'queue',
      "how many requests may wait. If none may, write algorithm: 'token-bucket'",
      { queue: undefined },
    ],
    ['OPTION_UNKNOWN', 'burst', 'burst is not an option here', { burst: 5 }],
  ]),
  of('a backoff', { algorithm: 'backoff', limit: 2, window: '1d', delays: ['30s', '1m'], forgive: 'all' }, [
    ['LIMIT_INVALID', 'limit', 'from 0 to 999', { limit: -1 }],
    ['LIMIT_INVALID', 'limit', 'from 0 to 999', { limit: 1_000 }],
    ['WINDOW_INVALID', 'window', 'to 400 days', { window: '500d' }],
    ['OPTION_INVALID', 'delays', 'is missing: it must be an array of 1 to 16 durations', { delays: undefined }],
    ['OPTION_INVALID', 'delays', 'must be an array of 1 to 16 durations, such as', { delays: [] }],
    ['OPTION_INVALID', 'delays', '1 to 16 durations', { delays: Array(17).fill('1s') }],
    ['OPTION_INVALID', 'delays', '1 to 16 durations', { delays: '30s' }],
    ['OPTION_INVALID', 'lockAt', 'lockAt must be an integer', { lockAt: 2 }],
    ['OPTION_INVALID', 'lockAt', 'lockAt must be an integer', { lockAt: 1_001 }],
    ['OPTION_INVALID', 'forgive', 'forgive is missing: it must be one of "one", "all"', { forgive: undefined }],
    ['OPTION_INVALID', 'forgive', '"one", "all"', { forgive: 'some' }],
    ['OPTION_UNKNOWN', 'burst', 'known are algorithm, limit, window, delays', { burst: 5 }],
  ]),
  {
    name: 'notices',
    owner: 'notices: ',
    make: (given: readonly number[]) => notices(...given),
    mistakes: [
      ['OPTION_INVALID', 'notices', `${parts}notices()`, []],
      ['OPTION_INVALID', 'notices', parts, [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]],
      ['OPTION_INVALID', 'notices', `${parts}notices(75, 90)`, [75, 90]],
      ['OPTION_INVALID', 'notices', parts, [0.9, 0.75]],
      ['OPTION_INVALID', 'notices', parts, [0.9, 0.9]],
      ['OPTION_INVALID', 'notices', parts, [0, 0.5]],
      ['OPTION_INVALID', 'notices', `${parts}notices("0.9")`, ['0.9']],
      ['OPTION_INVALID', 'notices', `${parts}notices(an array of 2)`, [[0.75, 0.9]]],
    ],
  },
  of('a limit in flight', { algorithm: 'concurrency', limit: 5 }, [
    [
      'OPTION_INVALID',
      'fair',
      'fair must be what fairBy() returns: import { fairBy } from',
      { fair: { by: () => 'ada' } },
    ],
    ['LIMIT_INVALID', 'limit', 'must be an integer from 1 to 1000', { limit: 1_001, fair: fairBy(() => 'ada') }],
  ]),
  {
    name: 'fairBy',
    owner: 'fairBy: ',
    make: ([by, options]: readonly never[]) => fairBy(by!, options),
    mistakes: [
      ['OPTION_INVALID', 'by', 'by is missing: it must be a function that returns the caller of a request', []],
      ['OPTION_INVALID', 'by', 'must be what byApiKey returns: write byApiKey()', [byApiKey]],
      [
        'OPTION_INVALID',
        'by',
        'must be a function that returns the caller of a request, got an object',
        [{ by: () => 'ada' }],
      ],
      ['OPTION_INVALID', 'weight', 'must be a function, got 2', [() => 'ada', { weight: 2 }]],
      ['OPTION_UNKNOWN', 'wieght', 'did you mean weight?', [() => 'ada', { wieght: () => 2 }]],
    ],
  },
];

function of(policy: string, right: object, mistakes: readonly Mistake[]): Door {
  return {
    name: `definePolicy of ${policy}`,
    owner: 'tier "login"',
    values: 'kept',
    make: (wrong: object) => definePolicy({ ...right, ...wrong } as never, 'tier "login"'),
    mistakes,
  };
}
