import { accountName } from '@sluice/example-shared';
import { by, byApiKey, byIp, byJwtSubject, createLimiter, rateLimit } from '@sluice/express';
import { keyHolder } from './api-key.js';

/** @import { Plan } from '@sluice/example-shared' */
/** @import { Store, Tier } from '@sluice/express' */
/** @import { Request } from 'express' */

/**
 * All limits of the API, as middleware. They share a store, where each tier has a unique name.
 *
 * @param {Store} store
 */
export function createLimits(store) {
  // Most clients read X-RateLimit-*. RateLimit and RateLimit-Policy are the coming standard, with all tiers.
  const headers = /** @type {const} */ (['x-ratelimit', 'draft-11']);

  // One budget for two routes: searches leave less for the public route.
  const address = createLimiter({
    store,
    name: 'address',
    key: byIp(),
    algorithm: 'fixed-window',
    limit: 100,
    window: '1m',
  });

  /** @type {Tier<Request>} */
  const itemsByAddress = { name: 'items-address', key: byIp(), limit: 200, window: '1m' };
  // By the account and not by the key: an account with two keys has one plan.
  const holder = byApiKey({ from: (/** @type {Request} */ request) => keyHolder(request)?.name });

  // Created once; each request selects one. Invented keys count by address.
  /** @type {Record<Plan | 'none', readonly Tier<Request>[]>} */
  const plans = {
    none: [itemsByAddress],
    free: [itemsByAddress, { name: 'items-free', key: holder, limit: 5, window: '1m' }],
    pro: [
      itemsByAddress,
      { name: 'items-pro', key: holder, limit: 100, window: '1m' },
      { name: 'items-pro-burst', key: holder, algorithm: 'token-bucket', limit: 10, window: '1s', burst: 20 },
    ],
  };

  return {
    public: rateLimit({ limiter: address, headers }),
    search: rateLimit({ limiter: address, headers, cost: 5 }),

    login: rateLimit({
      store,
      headers,
      // While Redis is unavailable, other limits continue in each process. Guesses must not become cheaper.
      onStoreFailure: 'deny',
      tiers: [
        // Every attempt counts, also one that the account denies.
        { name: 'login-address', key: byIp(), limit: 30, window: '15m', countDenied: true },
        // Denied attempts do not count here, so a stranger cannot lock the owner out for ever.
        { name: 'login-account', key: by('account', ({ body }) => accountName(body?.user)), limit: 5, window: '15m' },
      ],
      // Only failures count. A success gives its own attempt back, and none of the failures before it.
      refundWhen: (status) => status < 400,
    }),

    me: rateLimit({ store, headers, name: 'me', key: byJwtSubject(), limit: 10, window: '1m' }),

    items: rateLimit({ store, headers, tiers: (request) => plans[keyHolder(request)?.plan ?? 'none'] }),

    report: rateLimit({
      store,
      headers,
      tiers: [
        // One queue for all clients and processes: one report a second, and three may wait.
        { name: 'report-queue', key: () => 'all', algorithm: 'leaky-bucket', limit: 1, window: '1s', queue: 3 },
        // No client can occupy all of its places.
        { name: 'report-address', key: byIp(), limit: 20, window: '1m' },
      ],
    }),
  };
}
