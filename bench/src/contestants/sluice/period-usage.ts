import type { Runner, Setting } from '../contestant.js';
import { limiterOnRedis } from './limiter.js';
import { month } from './quota-tiers.js';
import { usage } from '@sluice/quotas';

export function open(setting: Setting): Promise<Runner> {
  return limiterOnRedis(setting, [month(setting, { usage: usage() })]);
}
