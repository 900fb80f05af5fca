import { byApiKey, byIp, createLimiter } from '@sluice/core';

/** @import { HttpRequest, Limiter, Store } from '@sluice/core' */

/** Units of one API key, and of one address. */
export const limits = { key: 250, address: 400 };

/**
 * The one limiter of three servers. No framework is in it: what it is given is what their requests have in common.
 *
 * @param {Store} store
 * @returns {Limiter<HttpRequest>}
 */
export function defineLimiter(store) {
  return createLimiter({
    store,
    // What the tests do to Redis between them is none of its business.
    denyCache: false,
    secret: 'of the fleet, which its keys are hashed with',
    tiers: [
      { name: 'key', key: byApiKey(), limit: limits.key, window: '1h' },
      { name: 'address', key: byIp(), algorithm: 'sliding-window-log', limit: limits.address, window: '1h' },
    ],
  });
}
