import { createLimiter, redisStore, type Decision, type Tier } from '@sluice/core';
import { SkippedWork, type Runner, type Setting } from '../contestant.js';
import { ADVISED } from './advised.js';

interface Options {
  readonly denyCache?: boolean;
}

/** A limiter with these tiers on Redis, driven as an application drives it. */
export function limiterOnRedis(
  { connect, prefix }: Setting,
  tiers: readonly Tier<string>[],
  options: Options = {},
): Runner {
  const limiter = createLimiter<string>({ store: redisStore(connect(ADVISED)), prefix, tiers, ...options });
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
    fromProcess: () => fromProcess,
  };
}

/** A denial that is remembered and a unit that was leased were decided by Redis; any other answer was not. */
function isMeant(source: string, allowed: boolean): boolean {
  return source === 'lease' || (source === 'deny-cache' && !allowed);
}
