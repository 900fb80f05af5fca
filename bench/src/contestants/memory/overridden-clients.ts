import { nameOf } from '../../drive/workload.js';
import { KEYS } from '../../mode.js';
import type { Runner, Setting } from '../contestant.js';
import { overrideClients } from '../sluice/ten-thousand-overrides.js';
import { limiterOf, runnerOf } from './fixed-window-limiter.js';

export function open(setting: Setting): Runner {
  const limiter = limiterOf(setting);
  const clients = Array.from({ length: KEYS }, (_, client) => nameOf(client));
  overrideClients(limiter, clients, 2 * setting.limit);
  return runnerOf(limiter);
}
