import type { Runner, Setting } from '../contestant.js';
import * as plain from './fixed-window.js';
import { inSpans } from './spans.js';

export function open(setting: Setting): Promise<Runner> {
  return inSpans(plain, setting);
}
