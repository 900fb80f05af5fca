import { partOnBothStores } from './on-both-stores.js';

/** What overrides cost the clients that have none, and those that have one. */
export const overridesPart = partOnBothStores({
  inMemory: {
    part: 'overrides',
    title: 'Overrides of 10 000 clients, in memory: 10 000 keys, uniform, one after the other',
    contestants: [
      'Sluice limiter, memory',
      'Sluice limiter, memory, 10 000 overrides',
      'Sluice limiter, memory, overridden clients',
    ],
    reference: 'Sluice limiter, memory',
  },
  onRedis: {
    title: 'Overrides of 10 000 other clients, on Redis: one tier, 10 000 keys, uniform, 64 in flight',
    contestants: ['Sluice fixed-window', 'Sluice fixed-window, 10 000 overrides'],
  },
});
