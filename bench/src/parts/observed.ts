import { partOnBothStores } from './on-both-stores.js';

/** What metrics and traces cost. */
export const observedPart = partOnBothStores({
  inMemory: {
    part: 'observed',
    title: 'Observed, in memory: 10 000 keys, uniform, one after the other',
    contestants: [
      'Sluice limiter, memory',
      'Sluice limiter, memory, metrics',
      'Sluice limiter, memory, in spans',
      'Sluice limiter, memory, in spans, traces',
    ],
    reference: 'Sluice limiter, memory',
  },
  onRedis: {
    title: 'Observed, on Redis: one tier, 10 000 keys, uniform, 64 in flight',
    contestants: [
      'Sluice fixed-window',
      'Sluice fixed-window, metrics',
      'Sluice fixed-window, in spans',
      'Sluice fixed-window, in spans, traces',
    ],
  },
});
