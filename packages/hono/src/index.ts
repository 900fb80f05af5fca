export * from '@sluice/core/app';
export type { AddressOptions } from './client-address.js';
export { HonoSubject } from './hono-subject.js';
export { limited } from './limited.js';
export {
  rateLimit,
  rateLimit as default,
  type OnDenied,
  type RateLimitHandler,
  type RateLimitOptions,
} from './rate-limit.js';
