export * from '@sluice/core/app';
export { limited } from './limited.js';
export { rateLimit, type RateLimitHandler, type RateLimitOptions } from './rate-limit.js';
