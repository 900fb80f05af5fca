import type { ClientRateLimitInfo } from 'express-rate-limit';
import type { Runner, Setting } from '../contestant.js';
import { startStore } from './rate-limit-redis-store.js';

export async function open({ connect, prefix, limit, window }: Setting): Promise<Runner> {
  const store = await startStore(connect(), { prefix, window });
  return {
    check: (key) => store.increment(key),
    admitted: ({ totalHits }: ClientRateLimitInfo) => totalHits <= limit,
  };
}
