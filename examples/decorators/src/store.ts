import { memoryStore, redisStore } from '@sluice/express';

// A decorator runs when its class is defined, so the store has to be there before. With REDIS_URL, all processes that
// are started with the same URL share every limit.
const url = process.env['REDIS_URL'];

export const store = url ? redisStore({ url }) : memoryStore();
