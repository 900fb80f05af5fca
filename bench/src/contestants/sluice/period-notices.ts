import type { Runner, Setting } from '../contestant.js';
import { limiterOnRedis } from './limiter.js';
import { month } from './quota-tiers.js';
import { notices } from '@sluice/quotas';

export function open(setting: Setting): Promise<Runner> {
  return limiterOnRedis(setting, [month(setting, { notices: notices(0.5, 0.75, 0.9, 1) })]);
}
