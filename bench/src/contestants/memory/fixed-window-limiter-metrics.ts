import type { Runner, Setting } from '../contestant.js';
import { withMetrics } from '../sluice/metrics.js';
import * as plain from './fixed-window-limiter.js';

export function open(setting: Setting): Promise<Runner> {
  return withMetrics(plain, setting);
}
