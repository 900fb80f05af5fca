import type { Runner, Setting } from '../contestant.js';
import { memoryRunner } from './sluice-store.js';

export function open(setting: Setting): Runner {
  return memoryRunner(setting, 'fixed-window');
}
