import { createLimiter, memoryStore, type Decision, type Limiter } from '@sluice/core';
import type { Runner, Setting } from '../contestant.js';

export function open(setting: Setting): Runner {
  return runnerOf(limiterOf(setting));
}

export function limiterOf({ limit, window, maxKeys }: Setting): Limiter<string> {
  return createLimiter<string>({
    store: memoryStore({ maxKeys }),
    tiers: [{ name: 'one', key: (key) => key, algorithm: 'fixed-window', limit, window }],
  });
}

export function runnerOf(limiter: Limiter<string>): Runner {
  return { check: (key) => limiter.consume(key), admitted: ({ allowed }: Decision) => allowed };
}
