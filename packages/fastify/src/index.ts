export { limited } from './limited.js';
export { rateLimit, type RateLimitOptions } from './rate-limit.js';
export type { HookName } from './hook-name.js';
export type { RateLimitHook } from './rate-limit-hook.js';
export type { HookOptions, OnDenied } from './reply-gate.js';
export type { RouteRateLimit } from './route-limits.js';
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
  type Outcome,
  type Problem,
  type Store,
  type Tier,
} from '@sluice/core';
