import { createLimiter, memoryStore, type Decision } from '@sluice/core';
import type { Runner, Setting } from '../contestant.js';

export function open({ limit, window, maxKeys }: Setting): Runner {
  const limiter = createLimiter<string>({
    store: memoryStore({ maxKeys }),
    tiers: [{ name: 'one', key: (key) => key, algorithm: 'fixed-window', limit, window }],
  });
  return { check: (key) => limiter.consume(key), admitted: ({ allowed }: Decision) => allowed };
}
