import type { Runner, Setting } from '../contestant.js';
import { inSpansTraced } from '../sluice/spans.js';
import * as plain from './fixed-window-limiter.js';

export function open(setting: Setting): Promise<Runner> {
  return inSpansTraced(plain, setting);
}
