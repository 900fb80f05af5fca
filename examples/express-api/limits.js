import { accountName } from '@sluice/example-shared';
import { by, byApiKey, byIp, byJwtSubject, createLimiter, rateLimit } from '@sluice/express';
import { keyHolder } from './api-key.js';

/** @import { Plan } from '@sluice/example-shared' */
/** @import { Store, Tier } from '@sluice/express' */
/** @import { Request } from 'express' */

/**
 * All limits of the API, as middleware. They share a store, in which every tier has a name of its own.
 *
 * @param {Store} store
 */
export function createLimits(store) {
  // X-RateLimit-* is what most clients read; RateLimit and RateLimit-Policy are the coming standard, with all tiers.
  const headers = /** @type {const} */ (['x-ratelimit', 'draft-11']);

  // One budget for two routes: what a client searches for, it cannot spend on the public route.
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
  // Not by the key but by its holder: whoever has two keys has one plan.
  const holder = byApiKey({ from: (/** @type {Request} */ request) => keyHolder(request)?.name });

  // Made once, and chosen from for each request. The address pays for keys that are made up.
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
      // The others go on in each process while Redis is away. Guesses must not be cheaper then.
      onStoreFailure: 'deny',
      tiers: [
        // Every try counts, also at an account that takes no more of them.
        { name: 'login-address', key: byIp(), limit: 30, window: '15m', countDenied: true },
        // Here only those that were let through: a stranger who goes on trying does not keep the owner out for ever.
        { name: 'login-account', key: by('account', ({ body }) => accountName(body?.user)), limit: 5, window: '15m' },
      ],
      // Failures are what counts. A success gives back itself, and none of the failures before it.
      refundWhen: (status) => status < 400,
    }),

    me: rateLimit({ store, headers, name: 'me', key: byJwtSubject(), limit: 10, window: '1m' }),

    items: rateLimit({ store, headers, tiers: (request) => plans[keyHolder(request)?.plan ?? 'none'] }),

    report: rateLimit({
      store,
      headers,
      tiers: [
        // One queue for everybody, in all processes: a report a second, while three wait for their turn.
        { name: 'report-queue', key: () => 'all', algorithm: 'leaky-bucket', limit: 1, window: '1s', queue: 3 },
        // And nobody has all of its places all the time.
        { name: 'report-address', key: byIp(), limit: 20, window: '1m' },
      ],
    }),
  };
}
