// @sluice/nestjs translates between a guard of NestJS and the gate of @sluice/http. Requests enter by `RateLimitModule`
// and its decorators. It imports @sluice/core and @sluice/http.
export * from '@sluice/http/app';
export type { GuardStage } from './limits/guard-stage.js';
export type { NestRequest, RateLimitModuleOptions, RateLimitOptions } from './limits/options.js';
export {
  AUTHENTICATED_RATE_LIMITER,
  InjectRateLimiter,
  RATE_LIMITER,
  RateLimit,
  RateLimitDecision,
  SkipRateLimit,
} from './limits/rate-limit.decorator.js';
export { RateLimitException } from './rate-limit.exception.js';
export { RateLimitFilter } from './rate-limit.filter.js';
export { AuthenticatedRateLimitGuard, RateLimitGuard } from './rate-limit.guard.js';
export { RateLimitModule, type RateLimitModuleAsyncOptions } from './rate-limit.module.js';
