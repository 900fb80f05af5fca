import type { Runner, Setting } from '../contestant.js';
import { inSpans } from '../sluice/spans.js';
import * as plain from './fixed-window-limiter.js';

export function open(setting: Setting): Promise<Runner> {
  return inSpans(plain, setting);
}
