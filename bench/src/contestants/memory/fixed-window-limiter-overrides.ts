import type { Runner, Setting } from '../contestant.js';
import { overrideOthers } from '../sluice/ten-thousand-overrides.js';
import { limiterOf, runnerOf } from './fixed-window-limiter.js';

export function open(setting: Setting): Runner {
  const limiter = limiterOf(setting);
  overrideOthers(limiter, 2 * setting.limit);
  return runnerOf(limiter);
}
