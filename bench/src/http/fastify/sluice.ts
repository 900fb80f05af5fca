import type { HttpServer, HttpSetting } from '../http-contestant.js';
import { oneTier } from '../sluice-tiers.js';
import { serveSluice } from './serve-sluice.js';

export function listen(setting: HttpSetting): Promise<HttpServer> {
  return serveSluice(setting, oneTier(setting, 'fixed-window'));
}
