import { byApiKey, byIp, createLimiter } from '@sluice/core';

/** @import { HttpRequest, Limiter, Store } from '@sluice/core' */

/** Units of one API key and of one address. */
export const limits = { key: 250, address: 400 };

/**
 * One limiter for servers on all frameworks. It reads what their requests have in common.
 *
 * @param {Store} store
 * @returns {Limiter<HttpRequest>}
 */
export function defineLimiter(store) {
  return createLimiter({
    store,
    // Tests flush Redis, of which a deny cache would not know.
    denyCache: false,
    secret: 'the secret of the fleet',
    tiers: [
      { name: 'key', key: byApiKey(), limit: limits.key, window: '1h' },
      { name: 'address', key: byIp(), algorithm: 'sliding-window-log', limit: limits.address, window: '1h' },
    ],
  });
}
