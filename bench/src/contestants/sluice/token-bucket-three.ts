import type { Runner, Setting } from '../contestant.js';
import { threeTiers } from './three-tiers.js';

export function open(setting: Setting): Promise<Runner> {
  return threeTiers(setting, 'token-bucket');
}
