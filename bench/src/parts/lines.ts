import { partOnBothStores } from './on-both-stores.js';

const FORMS = ['denied', 'denied in line', 'denied in a kept line'] as const;

/** What a line costs a denied request. */
export const linesPart = partOnBothStores({
  inMemory: {
    part: 'lines',
    title: 'Denials in memory: 100 keys of 10 000 callers, one after the other',
    contestants: FORMS.map((form) => `Sluice, memory, ${form}`),
    reference: 'Sluice, memory, denied',
  },
  onRedis: {
    title: 'Denials on Redis: 100 keys of 10 000 callers, 64 in flight',
    contestants: FORMS.map((form) => `Sluice, Redis, ${form}`),
  },
});
