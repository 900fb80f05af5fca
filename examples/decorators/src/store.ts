import { memoryStore, redisStore, type Duration } from '@sluice/express';

// A decorator runs when its class is defined, so the store has to be there before. With REDIS_URL, all processes that
// are started with the same URL share every limit. REDIS_DEADLINE is how long a request waits for Redis, before this
// process decides on its own.
const url = process.env['REDIS_URL'];
const deadline = (process.env['REDIS_DEADLINE'] || '50ms') as Duration;

export const store = url ? redisStore({ url }, { deadline }) : memoryStore();
