import { redisStore } from '@sluice/redis';
import { createLimits } from './limits.js';

/** @import { Duration } from '@sluice/express' */

// For the command line: `npx @sluice/cli explain ip ::1` here, with the variables of the processes.
const url = process.env['REDIS_URL'] || 'redis://127.0.0.1:6379';
const deadline = /** @type {Duration} */ (process.env['REDIS_DEADLINE'] || '50ms');

export const store = redisStore({ url }, { deadline });
export const limits = createLimits(store);
