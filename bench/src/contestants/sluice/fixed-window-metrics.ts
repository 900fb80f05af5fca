import type { Runner, Setting } from '../contestant.js';
import * as plain from './fixed-window.js';
import { withMetrics } from './metrics.js';

export function open(setting: Setting): Promise<Runner> {
  return withMetrics(plain, setting);
}
