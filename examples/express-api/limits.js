import { accountName } from '@sluice/example-shared';
import { by, byApiKey, byIp, byJwtSubject, createLimiter, rateLimit } from '@sluice/express';
import { keyHolder } from './api-key.js';

/** @import { Plan } from '@sluice/example-shared' */
/** @import { Store, Tier } from '@sluice/express' */
/** @import { Request } from 'express' */

/**
 * The limits of the API, as middleware. They share a store, where each tier needs its own name.
 *
 * @param {Store} store
 */
export function createLimits(store) {
  // Most clients read X-RateLimit-*. The draft standard, RateLimit and RateLimit-Policy, reports all tiers.
  const headers = /** @type {const} */ (['x-ratelimit', 'draft-11']);

  // One budget for two routes: searches also use up the public route.
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
  // Counts by account, because an account can have several keys.
  const holder = byApiKey({ from: (/** @type {Request} */ request) => keyHolder(request)?.name });

  // Created once; each request chooses one. Invented keys use up the limit of their address.
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
      // Without Redis each process would allow 5 guesses of its own, so logins are denied.
      onStoreFailure: 'deny',
      tiers: [
        // Every attempt counts, also if the account denies it.
        { name: 'login-address', key: byIp(), limit: 30, window: '15m', charge: 'all' },
        // Only admitted attempts count, so that an attacker cannot lock the owner out for ever.
        { name: 'login-account', key: by('account', ({ body }) => accountName(body?.user)), limit: 5, window: '15m' },
      ],
      // Only failures count: a success refunds itself, but not earlier failures.
      refundWhen: (status) => status < 400,
    }),

    me: rateLimit({ store, headers, name: 'me', key: byJwtSubject(), limit: 10, window: '1m' }),

    items: rateLimit({ store, headers, tiers: (request) => plans[keyHolder(request)?.plan ?? 'none'] }),

    report: rateLimit({
      store,
      headers,
      tiers: [
        // One queue for all clients and processes: one report a second, three wait.
        { name: 'report-queue', key: () => 'all', algorithm: 'leaky-bucket', limit: 1, window: '1s', queue: 3 },
        // No client can occupy the queue all the time.
        { name: 'report-address', key: byIp(), limit: 20, window: '1m' },
      ],
    }),
  };
}
