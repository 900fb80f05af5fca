import { ThrottlerStorageRedisService } from '@nest-lab/throttler-storage-redis';
import type { Runner, Setting } from '../contestant.js';

export function open({ connect, prefix, limit, window }: Setting): Runner {
  const storage = new ThrottlerStorageRedisService(connect());
  return {
    // Called as the guard of @nestjs/throttler does, which blocks for as long as its window.
    check: (key) => storage.increment(key, window, limit, window, prefix),
    admitted: ({ isBlocked }: { isBlocked: boolean }) => !isBlocked,
  };
}
