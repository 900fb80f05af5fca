import { MemoryStore, type ClientRateLimitInfo, type Options } from 'express-rate-limit';
import type { Runner, Setting } from '../contestant.js';

export function open({ limit, window }: Setting): Runner {
  const store = new MemoryStore();
  store.init({ windowMs: window } as Options);
  return {
    check: (key) => store.increment(key),
    admitted: ({ totalHits }: ClientRateLimitInfo) => totalHits <= limit,
  };
}
