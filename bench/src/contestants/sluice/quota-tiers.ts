import type { Tier } from '@sluice/core';
import { balance, type CountedUsage, type Notices } from '@sluice/quotas';
import type { Setting } from '../contestant.js';

const key = (client: string) => client;

/** A month. It is no row of the benchmark that ends within a run. */
export function month(
  { limit }: Pick<Setting, 'limit'>,
  more: { readonly notices?: Notices; readonly usage?: CountedUsage } = {},
): Tier<string> {
  return { name: 'one', key, algorithm: 'fixed-window', limit, period: 'month', ...more };
}

/** Credits in the place of the month. */
export const credits: Tier<string> = { name: 'credits', key, algorithm: balance({ covers: ['one'] }) };
