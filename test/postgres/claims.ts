import { randomUUID } from 'node:crypto';
import { definePolicy } from '@sluice/core';
import type { Claim } from '@sluice/core/own-store';

/** More than a busy machine takes. */
export const LONG = 20_000;
export const LIMIT = 20;

export const claimOf = (key: string = randomUUID()): Claim => ({
  tier: 'tier',
  key,
  policy: definePolicy({ limit: LIMIT, window: '1h' }),
  cost: 1,
  shadow: false,
  record: undefined,
});
