// notices/ reports once when a share of a limit is used. Counts of a fixed window enter. It imports no other room.
import { FEATURE, type Notices, type NoticesValue, type TierFeature } from '@sluice/core/internal';
import { readMarkParts } from './marks.js';
import { noticedPolicy } from './noticed-policy.js';
import { noticeLayer } from './notices.js';

const feature: TierFeature<'notices'> = {
  form: FEATURE,
  name: 'notices',
  layer: (_tiers, { onNotice }) => noticeLayer(onNotice),
};

/**
 * Gives notice of parts of a limit: the option `notices` of a tier with the algorithm `'fixed-window'`.
 *
 * @param parts 1 to 8 parts of the limit in rising order, above 0 and at most 1
 * @throws ConfigError OPTION_INVALID
 * @example notices: notices(0.75, 0.9, 1)
 */
export function notices(...parts: readonly number[]): Notices {
  const read = readMarkParts(parts);
  return Object.freeze({
    feature,
    parts: read,
    noticed: (window) => noticedPolicy(window, read),
  } satisfies NoticesValue);
}
