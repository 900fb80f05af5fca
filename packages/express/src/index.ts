export * from '@sluice/core/app';
export { limited } from './limited.js';
export { rateLimit, rateLimit as default, type RateLimitHandler, type RateLimitOptions } from './rate-limit.js';
