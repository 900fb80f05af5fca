import { byApiKey, byIp, byJwtSubject, createLimiter, loginTiers, rateLimit } from '@sluice/express';
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
      // Without Redis each process would allow guesses of its own, so logins are denied.
      onStoreFailure: 'deny',
      // Failures cost time, by account and network. `login` calls signedIn: networks that have signed in are known.
      tiers: loginTiers({ account: (/** @type {Request} */ { body }) => body?.user }),
    }),

    me: rateLimit({ store, headers, name: 'me', key: byJwtSubject(), limit: 10, window: '1m' }),

    items: rateLimit({
      store,
      headers,
      tiers: (request) => plans[keyHolder(request)?.plan ?? 'none'],
      // So the command line knows them, which sees no request.
      plans: Object.values(plans),
    }),

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
