import { createLimiter, memoryStore, type Tier } from '@sluice/core';
import { line } from '@sluice/overload/line';
import { runnerOf } from '../memory/fixed-window-limiter.js';
import type { ContestantFile } from '../contestant.js';
import { limiterOnRedis } from './limiter.js';

/** What a denied request is told: when it would fit, a moment of its own, or the place that is kept for its caller. */
const FORMS = {
  none: {},
  line: { line: line<string>({ longest: '49d' }) },
  kept: { line: line<string>({ longest: '49d', by: (caller) => caller }) },
} as const;

/** Buckets of hundred keys, which ten thousand callers share, and which three requests empty for a day. */
function tiersOf(form: keyof typeof FORMS): readonly Tier<string>[] {
  const key = (caller: string) => caller.slice(-2);
  return [{ name: 'shared', key, algorithm: 'token-bucket', limit: 3, window: '1d', ...FORMS[form] }];
}

export const inMemory = (form: keyof typeof FORMS): ContestantFile => ({
  open({ maxKeys }) {
    const limiter = createLimiter<string>({ store: memoryStore({ maxKeys }), tiers: tiersOf(form) });
    // A run takes a denial for a mistake, and here all are denied.
    return { ...runnerOf(limiter), admitted: () => true };
  },
});

/** Each denial reaches Redis, as those of a line do. */
export const onRedis = (form: keyof typeof FORMS): ContestantFile => ({
  open: (setting) => limiterOnRedis(setting, tiersOf(form), { denyCache: false }),
});
