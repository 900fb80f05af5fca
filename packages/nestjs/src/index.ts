export type { GuardStage } from './limits/guard-stage.js';
export type { NestRequest, RateLimitModuleOptions, RateLimitOptions } from './options.js';
export {
  AUTHENTICATED_RATE_LIMITER,
  InjectRateLimiter,
  RATE_LIMITER,
  RateLimit,
  RateLimitDecision,
  SkipRateLimit,
} from './rate-limit.decorator.js';
export { RateLimitException } from './rate-limit.exception.js';
export { RateLimitFilter } from './rate-limit.filter.js';
export { AuthenticatedRateLimitGuard, RateLimitGuard } from './rate-limit.guard.js';
export { RateLimitModule, type RateLimitModuleAsyncOptions } from './rate-limit.module.js';
export {
  by,
  byApiKey,
  byHeader,
  byIp,
  byJwtSubject,
  bySession,
  compose,
  ConfigError,
  createLimiter,
  isSluiceError,
  memoryStore,
  redisStore,
  refund,
  settle,
  SluiceError,
  StoreError,
  subscribe,
  UsageError,
  type Costs,
  type Decision,
  type Denied,
  type Duration,
  type GateTier,
  type HttpRequest,
  type Identity,
  type Key,
  type Limiter,
  type LimiterOptions,
  type OnStoreFailure,
  type Outcome,
  type Problem,
  type RedisOptions,
  type RedisStore,
  type RedisStoreOptions,
  type SluiceEvents,
  type Store,
  type Tier,
} from '@sluice/core';
