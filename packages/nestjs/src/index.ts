export * from '@sluice/http/app';
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
