import { byHeader, byIp, type HttpRequest, type Tier } from '@sluice/http';
import { CLIENT_HEADER, type HttpSetting } from './http-contestant.js';

type Algorithm = 'fixed-window' | 'sliding-window';
type TierSetting = Pick<HttpSetting, 'limit' | 'window' | 'identity'>;

const HOURS = 24;
const MINUTES = 1_440;

/** One tier, which counts each client. */
export function oneTier(setting: TierSetting, algorithm: Algorithm): readonly Tier<HttpRequest>[] {
  return [{ ...tierOf(setting, algorithm), name: 'one' }];
}

/** Three tiers that count each client, with a day as the longest window. */
export function threeTiers(setting: TierSetting, algorithm: Algorithm): readonly Tier<HttpRequest>[] {
  const tier = tierOf(setting, algorithm);
  const { window } = setting;
  return [
    { ...tier, name: 'day' },
    { ...tier, name: 'hour', window: window / HOURS },
    { ...tier, name: 'minute', window: window / MINUTES },
  ];
}

function tierOf({ limit, window, identity }: TierSetting, algorithm: Algorithm) {
  const key = identity === 'header' ? byHeader(CLIENT_HEADER) : byIp();
  return { key, algorithm, limit, window };
}
