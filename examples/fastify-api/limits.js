import { accountName } from '@sluice/example-shared';
import { by, byApiKey, byIp, byJwtSubject } from '@sluice/fastify';
import { keyHolder } from './api-key.js';

/** @import { Plan } from '@sluice/example-shared' */
/** @import { HookOptions, RouteRateLimit, Tier } from '@sluice/fastify' */
/** @import { FastifyRequest } from 'fastify' */

// All limits of the API, as its routes name them. Where they count is said once, where the plugin is registered.

// One tier of two routes, and one budget: what a client searches for, it cannot spend on the public route.
/** @type {Tier<FastifyRequest>} */
const address = { name: 'address', key: byIp(), algorithm: 'fixed-window', limit: 100, window: '1m' };

/** @type {RouteRateLimit} */
export const publicLimit = { tiers: [address] };

/** @type {RouteRateLimit} */
export const searchLimit = { tiers: [address], cost: 5 };

// Failures are what counts. A success gives back itself, and none of the failures before it.
const refundWhen = (/** @type {number} */ status) => status < 400;

// The other limits go on in each process while Redis is away. Guesses must not be cheaper then.
const onStoreFailure = 'deny';

// Every try counts, also at an account that takes no more of them. It needs no body, and denies before one is read.
/** @type {HookOptions} */
export const loginAddressLimit = {
  name: 'login-address',
  limit: 30,
  window: '15m',
  countDenied: true,
  refundWhen,
  onStoreFailure,
};

// Here only those that were let through: a stranger who goes on trying does not keep the owner out for ever.
/** @type {HookOptions} */
export const loginAccountLimit = {
  name: 'login-account',
  key: by('account', ({ body }) => accountName(/** @type {{ user?: unknown } | null} */ (body)?.user)),
  limit: 5,
  window: '15m',
  refundWhen,
  onStoreFailure,
};

// Whose token it is, is known when the hooks before the handler run.
/** @type {RouteRateLimit} */
export const meLimit = { name: 'me', key: byJwtSubject(), limit: 10, window: '1m', hook: 'preHandler' };

/** @type {Tier<FastifyRequest>} */
const itemsByAddress = { name: 'items-address', key: byIp(), limit: 200, window: '1m' };
// Not by the key but by its holder: whoever has two keys has one plan.
const holder = byApiKey({ from: (/** @type {FastifyRequest} */ request) => keyHolder(request)?.name });

// Made once, and chosen from for each request. The address pays for keys that are made up.
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
    // One queue for everybody, in all processes: a report a second, while three wait for their turn.
    { name: 'report-queue', key: () => 'all', algorithm: 'leaky-bucket', limit: 1, window: '1s', queue: 3 },
    // And nobody has all of its places all the time.
    { name: 'report-address', key: byIp(), limit: 20, window: '1m' },
  ],
};
