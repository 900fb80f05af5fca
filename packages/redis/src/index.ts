// @sluice/redis decides limits in Redis, so that many processes share them (docs/guide/redis.md). Claims enter with
// `redisStore`, and one script call decides a batch of them. It imports @sluice/core, and its rooms import down: batch,
// connection and encoding, client.
export { clientOf, type CommandSender, type NodeRedisClient } from './client/client-of.js';
export type { RedisClient, RedisNode } from './client/redis-client.js';
export type { RedisOptions } from './client/redis-options.js';
export { redisStore, type RedisStore, type RedisStoreOptions } from './redis-store.js';
// For `sluice`.
export { databaseCheckOf, type DatabaseCheck } from './client/database-check.js';
export { wrongTransport, type Transport } from './client/wrong-transport.js';
export { type Script, scripts } from '@sluice/core/scripts';
