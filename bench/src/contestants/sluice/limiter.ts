import { createLimiter, type Decision, type Limiter, type Tier } from '@sluice/core';
import { redisStore } from '@sluice/redis';
import { SkippedWork, type Runner, type Setting } from '../contestant.js';
import { storeCalls } from './store-calls.js';

interface Options {
  readonly denyCache?: boolean;
  /** Ends a request that was admitted. */
  readonly end?: (limiter: Limiter<string>, decision: Decision) => unknown;
  /** Is called with the limiter before its first check. */
  readonly prepare?: (limiter: Limiter<string>) => unknown;
}

/** A limiter with these tiers on Redis, called as an application does. */
export async function limiterOnRedis(
  { url, prefix }: Setting,
  tiers: readonly Tier<string>[],
  { end, prepare, ...options }: Options = {},
): Promise<Runner> {
  const store = redisStore({ url });
  await store.ready();
  const limiter = createLimiter<string>({ store, prefix, tiers, ...options });
  await prepare?.(limiter);
  let fromProcess = 0;
  return {
    check: (key) => limiter.consume(key),
    admitted({ allowed, source }: Decision) {
      if (source !== 'redis') {
        if (!isMeant(source, allowed)) throw new SkippedWork(`answered by ${source}`);
        fromProcess += 1;
      }
      return allowed;
    },
    ...(end && { end: (decision: Decision) => end(limiter, decision) }),
    fromProcess: () => fromProcess,
    sent: storeCalls,
    close: () => store.close(),
  };
}

/** Cached denials and leased units were decided by Redis. Other local answers were not. */
function isMeant(source: string, allowed: boolean): boolean {
  return source === 'lease' || (source === 'deny-cache' && !allowed);
}
