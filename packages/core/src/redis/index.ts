// The entry point for limits in Redis: docs/guide/redis.md. Programs that limit in memory do not load it.
export { clientOf, type CommandSender, type NodeRedisClient } from '../stores/redis/client/client-of.js';
export type { RedisClient, RedisNode } from '../stores/redis/client/redis-client.js';
export type { RedisOptions } from '../stores/redis/client/redis-options.js';
export { redisStore, type RedisStore, type RedisStoreOptions } from '../stores/redis/redis-store.js';
// For `sluice`.
export { databaseCheckOf, type DatabaseCheck } from '../stores/redis/client/database-check.js';
export { wrongTransport, type Transport } from '../stores/redis/client/wrong-transport.js';
export { scripts } from '../stores/redis/lua/scripts.js';
export type { Script } from '../stores/redis/lua/script.js';
