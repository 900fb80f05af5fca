import { accountName, type Plan } from '@sluice/example-shared';
import { by, byApiKey, byIp, byJwtSubject, type NestRequest, type RateLimitOptions, type Tier } from '@sluice/nestjs';
import { keyHolder } from './api-key.guard.js';

// All limits of the API, as its controllers name them. Where they count is said once, in the module.

// One tier of two routes, and one budget: what a client searches for, it cannot spend on the public route.
const address: Tier<NestRequest> = {
  name: 'address',
  key: byIp(),
  algorithm: 'fixed-window',
  limit: 100,
  window: '1m',
};

export const publicLimit: RateLimitOptions = { tiers: [address] };

export const searchLimit: RateLimitOptions = { tiers: [address], cost: 5 };

export const loginLimit: RateLimitOptions = {
  // The others go on in each process while Redis is away. Guesses must not be cheaper then.
  onStoreFailure: 'deny',
  tiers: [
    // Every try counts, also at an account that takes no more of them.
    { name: 'login-address', key: byIp(), limit: 30, window: '15m', countDenied: true },
    // Here only those that were let through: a stranger who goes on trying does not keep the owner out for ever.
    {
      name: 'login-account',
      key: by('account', ({ body }) => accountName((body as { user?: unknown } | undefined)?.user)),
      limit: 5,
      window: '15m',
    },
  ],
  // Failures are what counts. A success gives back itself, and none of the failures before it.
  refundWhen: (status) => status < 400,
};

// Whose token it is, is known when the guard before this limit has verified it.
export const meLimit: RateLimitOptions = {
  name: 'me',
  key: byJwtSubject(),
  limit: 10,
  window: '1m',
  at: 'authenticated',
};

const itemsByAddress: Tier<NestRequest> = { name: 'items-address', key: byIp(), limit: 200, window: '1m' };
// Not by the key but by its holder: whoever has two keys has one plan.
const holder = byApiKey<NestRequest>({ from: (request) => keyHolder(request)?.name });

// Made once, and chosen from for each request. The address pays for keys that are made up.
const plans: Record<Plan | 'none', readonly Tier<NestRequest>[]> = {
  none: [itemsByAddress],
  free: [itemsByAddress, { name: 'items-free', key: holder, limit: 5, window: '1m' }],
  pro: [
    itemsByAddress,
    { name: 'items-pro', key: holder, limit: 100, window: '1m' },
    { name: 'items-pro-burst', key: holder, algorithm: 'token-bucket', limit: 10, window: '1s', burst: 20 },
  ],
};

export const itemsLimit: RateLimitOptions = { tiers: (request) => plans[keyHolder(request)?.plan ?? 'none'] };

export const reportLimit: RateLimitOptions = {
  tiers: [
    // One queue for everybody, in all processes: a report a second, while three wait for their turn.
    { name: 'report-queue', key: () => 'all', algorithm: 'leaky-bucket', limit: 1, window: '1s', queue: 3 },
    // And nobody has all of its places all the time.
    { name: 'report-address', key: byIp(), limit: 20, window: '1m' },
  ],
};
