export type { HandlerDecorator } from '@sluice/http/adapter';
export * from '@sluice/http/app';
export { holdPermits } from './hold-permits.js';
export { limited } from './limited.js';
export { rateLimit, rateLimit as default, type RateLimitHandler, type RateLimitOptions } from './rate-limit.js';
