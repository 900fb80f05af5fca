// The entry point for limits in Redis: docs/guide/redis.md. Programs that limit in memory do not load it.
export { clientOf, type CommandSender, type NodeRedisClient } from './client/client-of.js';
export type { RedisClient, RedisNode } from './client/redis-client.js';
export type { RedisOptions } from './client/redis-options.js';
export { redisStore, type RedisStore, type RedisStoreOptions } from './redis-store.js';
// For `sluice`.
export { databaseCheckOf, type DatabaseCheck } from './client/database-check.js';
export { wrongTransport, type Transport } from './client/wrong-transport.js';
export { type Script, scripts } from '@sluice/core/scripts';
