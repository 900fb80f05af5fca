import type { Plan } from '@sluice/example-shared';
import {
  byApiKey,
  byIp,
  byJwtSubject,
  loginTiers,
  type NestRequest,
  type RateLimitOptions,
  type Tier,
} from '@sluice/nestjs';
import { keyHolder } from './api-key.guard.js';

// The limits of the controllers. They inherit the store from the module.

// One tier on two routes is one budget: searches also use up the public route.
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
  // Without Redis each process would allow guesses of its own, so logins are denied.
  onStoreFailure: 'deny',
  // Failures cost time, by account and network. The controller calls signedIn: networks that have signed in are known.
  tiers: loginTiers<NestRequest>({ account: ({ body }) => (body as { user?: unknown } | undefined)?.user }),
};

// Runs after TokenGuard, so that the subject of the token is known.
export const meLimit: RateLimitOptions = {
  name: 'me',
  key: byJwtSubject(),
  limit: 10,
  window: '1m',
  at: 'authenticated',
};

const itemsByAddress: Tier<NestRequest> = { name: 'items-address', key: byIp(), limit: 200, window: '1m' };
// Counts by account, because an account can have several keys.
const holder = byApiKey<NestRequest>({ from: (request) => keyHolder(request)?.name });

// Created once; each request chooses one. Invented keys use up the limit of their address.
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
    // One queue for all clients and processes: one report a second, three wait.
    { name: 'report-queue', key: () => 'all', algorithm: 'leaky-bucket', limit: 1, window: '1s', queue: 3 },
    // No client can occupy the queue all the time.
    { name: 'report-address', key: byIp(), limit: 20, window: '1m' },
  ],
};
