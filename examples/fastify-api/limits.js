import { byApiKey, byIp, byJwtSubject, loginTiers } from '@sluice/fastify';
import { keyHolder } from './api-key.js';

/** @import { Plan } from '@sluice/example-shared' */
/** @import { HookOptions, RouteRateLimit, Tier } from '@sluice/fastify' */
/** @import { FastifyRequest } from 'fastify' */

// The limits of the routes. They inherit the store from the options of the plugin.

// One tier on two routes is one budget: searches also use up the public route.
/** @type {Tier<FastifyRequest>} */
const address = { name: 'address', key: byIp(), algorithm: 'fixed-window', limit: 100, window: '1m' };

/** @type {RouteRateLimit} */
export const publicLimit = { tiers: [address] };

/** @type {RouteRateLimit} */
export const searchLimit = { tiers: [address], cost: 5 };

// Failures cost time, by account and network. `login` calls signedIn: networks that have signed in are known.
/** @type {HookOptions} */
export const loginLimit = {
  tiers: loginTiers({
    account: (/** @type {FastifyRequest} */ { body }) => /** @type {{ user?: unknown } | null} */ (body)?.user,
  }),
  // Without Redis each process would allow guesses of its own, so logins are denied.
  onStoreFailure: 'deny',
};

// Runs after `verifyToken`, so that the subject of the token is known.
/** @type {RouteRateLimit} */
export const meLimit = { name: 'me', key: byJwtSubject(), limit: 10, window: '1m', hook: 'preHandler' };

/** @type {Tier<FastifyRequest>} */
const itemsByAddress = { name: 'items-address', key: byIp(), limit: 200, window: '1m' };
// Counts by account, because an account can have several keys.
const holder = byApiKey({ from: (/** @type {FastifyRequest} */ request) => keyHolder(request)?.name });

// Created once; each request chooses one. Invented keys use up the limit of their address.
/** @type {Record<Plan | 'none', readonly Tier<FastifyRequest>[]>} */
const plans = {
  none: [itemsByAddress],
  free: [itemsByAddress, { name: 'items-free', key: holder, limit: 5, window: '1m' }],
  pro: [
    itemsByAddress,
    { name: 'items-pro', key: holder, limit: 100, window: '1m' },
    { name: 'items-pro-burst', key: holder, algorithm: 'token-bucket', limit: 10, window: '1s', burst: 20 },
  ],
};

/** @type {RouteRateLimit} */
export const itemsLimit = { tiers: (request) => plans[keyHolder(request)?.plan ?? 'none'] };

/** @type {RouteRateLimit} */
export const reportLimit = {
  tiers: [
    // One queue for all clients and processes: one report a second, three wait.
    { name: 'report-queue', key: () => 'all', algorithm: 'leaky-bucket', limit: 1, window: '1s', queue: 3 },
    // No client can occupy the queue all the time.
    { name: 'report-address', key: byIp(), limit: 20, window: '1m' },
  ],
};
