import { decided, tierOnClock } from '../../../../test/support/tier-on-clock.js';
import type { PolicyOptions } from '../../../core/src/algorithms/named/policy-options.js';
import { violationOf } from './violation.js';

const fixed: PolicyOptions = { algorithm: 'fixed-window', limit: 5, window: '1m' };
const bucket: PolicyOptions = { algorithm: 'token-bucket', limit: 5, window: '1m' };
/** On 29 November at noon in UTC. */
const NOVEMBER = Date.UTC(2026, 10, 29, 12);

describe('violationOf', () => {
  it('C26 names the policies that deny, of all limiters', () => {
    const all = [decided({ ...bucket, name: 'denies' }, 5, 1), decided({ ...fixed, name: 'allows' }, 1)];

    expect(violationOf(all)).toEqual({ policies: ['denies'], told: undefined, added: [] });
  });

  it('says when a used-up period starts again, if the client has to wait for it', () => {
    jest.spyOn(Date, 'now').mockReturnValue(NOVEMBER);
    const calendar = {
      algorithm: 'fixed-window',
      limit: 5,
      period: 'month',
      timeZone: 'Europe/Berlin',
    } as const satisfies PolicyOptions;
    const denied = (options: PolicyOptions, name: string, ...costs: number[]) =>
      tierOnClock({ ...options, name }, NOVEMBER).decide(...costs);

    const usedUp = [
      [denied(calendar, 'month', 5, 1)],
      [denied(bucket, 'minute', 5, 1), denied({ ...calendar, period: 'day' as const }, 'day', 5, 1)],
      [denied(calendar, 'month', 3, 4)],
      [denied(calendar, 'month', 5, 1), denied({ ...fixed, window: '60d' }, 'long', 5, 1)],
      [denied(calendar, 'month', 4), denied(bucket, 'minute', 5, 1)],
      [denied(calendar, 'month', 6)],
    ].map((all) => violationOf(all).told?.detail(undefined));

    expect(usedUp).toEqual([
      'The quota of this month is used up. It starts again on 1 December (Europe/Berlin).',
      'The quota of today is used up. It starts again on 30 November at 00:00 (Europe/Berlin).',
      'The quota of this month has too few units left for this request. It starts again on 1 December (Europe/Berlin).',
      undefined,
      undefined,
      undefined,
    ]);
    jest.restoreAllMocks();
  });
});
