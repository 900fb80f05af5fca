// Calendar weeks: a quota that begins on Monday at midnight of a time zone, whatever the daylight-saving time does.
//
// - A week with the change to summer time has 167 hours, and one with the change back 169. `retryAfter` is exact.
// - Each account can have a first day of its own: `startsOn` as a function. A new one applies when the running week ends.
// - A period is one window: a client may use all of it on Sunday evening and all of the next after midnight. Add a
//   shorter tier against that, as here.

import { createLimiter, memoryStore, type Store } from '@sluice/core';

interface Export {
  readonly account: string;
  readonly weekStartsOn: 'monday' | 'sunday';
}

export const createExports = (store: Store = memoryStore()) =>
  createLimiter<Export>({
    store,
    tiers: [
      {
        name: 'week',
        key: ({ account }) => account,
        algorithm: 'fixed-window',
        limit: 10,
        period: 'week',
        timeZone: 'Europe/Berlin',
        startsOn: ({ weekStartsOn }) => weekStartsOn,
      },
      { name: 'hour', key: ({ account }) => account, algorithm: 'sliding-window', limit: 10, window: '1h' },
    ],
  });
