import { redisStore } from '@sluice/core';
import { defineLimiter } from './definition.mjs';

// What every server of the fleet is started with: its Redis, and what a request costs there.
const [, , url = '', price = '1'] = process.argv;

export const cost = Number(price);
// One process counts as all do only as long as it waits for Redis, and a machine under load is late.
export const limiter = defineLimiter(redisStore({ url }, { deadline: '5s' }));

/**
 * Tells who has started this process where it serves, and ends with them.
 *
 * @param {number} port
 */
export function serving(port) {
  process.on('disconnect', () => process.exit());
  process.send?.(port);
}
