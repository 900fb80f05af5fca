import { createLimiter, memoryStore } from '@sluice/core';
import type { Runner, Setting } from '../contestant.js';
import { windowsOf } from '../identities.js';
import { runnerOf } from './fixed-window-limiter.js';

/** Three tiers that count by one key, as limits a minute, an hour and a day do. */
export function open(setting: Setting): Runner {
  const key = (client: string) => client;
  return runnerOf(
    createLimiter<string>({
      store: memoryStore({ maxKeys: 3 * setting.maxKeys }),
      tiers: windowsOf(setting).map((window, index) => ({
        name: `tier ${index + 1}`,
        key,
        algorithm: 'fixed-window',
        limit: setting.limit,
        window,
      })),
    }),
  );
}
