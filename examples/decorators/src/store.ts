import { memoryStore, type Duration } from '@sluice/express';
import { redisStore } from '@sluice/redis';

// A decorator runs when its class is defined, so it imports the store. Processes with the same REDIS_URL share all
// limits. REDIS_DEADLINE is how long a request waits for Redis before this process decides alone.
const url = process.env['REDIS_URL'];
const deadline = (process.env['REDIS_DEADLINE'] || '50ms') as Duration;

export const store = url ? redisStore({ url }, { deadline }) : memoryStore();
