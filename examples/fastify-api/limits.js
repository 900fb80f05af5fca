import { accountName } from '@sluice/example-shared';
import { by, byApiKey, byIp, byJwtSubject } from '@sluice/fastify';
import { keyHolder } from './api-key.js';

/** @import { Plan } from '@sluice/example-shared' */
/** @import { HookOptions, RouteRateLimit, Tier } from '@sluice/fastify' */
/** @import { FastifyRequest } from 'fastify' */

// All limits of the API. The plugin provides their store.

// One tier, and one budget, for two routes: searches leave less for the public route.
/** @type {Tier<FastifyRequest>} */
const address = { name: 'address', key: byIp(), algorithm: 'fixed-window', limit: 100, window: '1m' };

/** @type {RouteRateLimit} */
export const publicLimit = { tiers: [address] };

/** @type {RouteRateLimit} */
export const searchLimit = { tiers: [address], cost: 5 };

// Only failures count. A success gives its own attempt back, and none of the failures before it.
const refundWhen = (/** @type {number} */ status) => status < 400;

// While Redis is unavailable, other limits continue in each process. Guesses must not become cheaper.
const onStoreFailure = 'deny';

// Every attempt counts, also one that the account denies. It decides before the body is read.
/** @type {HookOptions} */
export const loginAddressLimit = {
  name: 'login-address',
  limit: 30,
  window: '15m',
  countDenied: true,
  refundWhen,
  onStoreFailure,
};

// Denied attempts do not count here, so a stranger cannot lock the owner out for ever.
/** @type {HookOptions} */
export const loginAccountLimit = {
  name: 'login-account',
  key: by('account', ({ body }) => accountName(/** @type {{ user?: unknown } | null} */ (body)?.user)),
  limit: 5,
  window: '15m',
  refundWhen,
  onStoreFailure,
};

// The subject of the token is known in `preHandler`.
/** @type {RouteRateLimit} */
export const meLimit = { name: 'me', key: byJwtSubject(), limit: 10, window: '1m', hook: 'preHandler' };

/** @type {Tier<FastifyRequest>} */
const itemsByAddress = { name: 'items-address', key: byIp(), limit: 200, window: '1m' };
// By the account and not by the key: an account with two keys has one plan.
const holder = byApiKey({ from: (/** @type {FastifyRequest} */ request) => keyHolder(request)?.name });

// Created once; each request selects one. Invented keys count by address.
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
    // One queue for all clients and processes: one report a second, and three may wait.
    { name: 'report-queue', key: () => 'all', algorithm: 'leaky-bucket', limit: 1, window: '1s', queue: 3 },
    // No client can occupy all of its places.
    { name: 'report-address', key: byIp(), limit: 20, window: '1m' },
  ],
};
