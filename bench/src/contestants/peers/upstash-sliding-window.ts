import { Ratelimit } from '@upstash/ratelimit';
import type { Runner, Setting } from '../contestant.js';
import { upstashClient } from './upstash-client.js';

export function open({ connect, prefix, limit, window }: Setting): Runner {
  const limiter = new Ratelimit({
    redis: upstashClient(connect()),
    limiter: Ratelimit.slidingWindow(limit, `${window / 1000} s`),
    prefix,
    // Without the timer of each check, which admits all clients when it fires, the peer is faster.
    timeout: 0,
  });
  return {
    check: (key) => limiter.limit(key),
    admitted: ({ success }: { success: boolean }) => success,
  };
}
