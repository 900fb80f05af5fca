import { Semaphore } from 'redis-semaphore';
import type { Runner, Setting } from '../contestant.js';
import { HOLD, PERMITS } from '../permits.js';

export function open({ connect, prefix }: Setting): Runner {
  const client = connect();
  return {
    async check(key) {
      const semaphore = new Semaphore(client, `${prefix}:${key}`, PERMITS, { lockTimeout: HOLD });
      await semaphore.acquire();
      return semaphore;
    },
    admitted: () => true,
    end: (semaphore: Semaphore) => semaphore.release(),
  };
}
