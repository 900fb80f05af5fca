export {
  clientOf,
  redisStore,
  type CommandSender,
  type NodeRedisClient,
  type RedisClient,
  type RedisNode,
  type RedisOptions,
  type RedisStore,
  type RedisStoreOptions,
} from '@sluice/core/redis';
