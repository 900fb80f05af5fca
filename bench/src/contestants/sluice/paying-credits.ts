import { creditsOf } from '@sluice/quotas';
import { nameOf } from '../../drive/workload.js';
import { KEYS } from '../../mode.js';
import type { Runner, Setting } from '../contestant.js';
import { limiterOnRedis } from './limiter.js';
import { credits, month } from './quota-tiers.js';

/** After its first request a client pays each by its credits. */
export function open(setting: Setting): Promise<Runner> {
  return limiterOnRedis(setting, [month({ limit: 1 }), credits], {
    async prepare(limiter) {
      for (let client = 0; client < KEYS; client += 1) {
        await creditsOf(limiter).credit(nameOf(client), 2 ** 40, { id: 'a benchmark' });
      }
    },
  });
}
