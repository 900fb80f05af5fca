// @sluice/express translates between Express and the gate of @sluice/http. Requests enter by `rateLimit`, and denials
// leave as responses. It imports @sluice/http.
export type { HandlerDecorator } from '@sluice/http/adapter';
export * from '@sluice/http/app';
export { holdPermits } from './hold-permits.js';
export { limited } from './limited.js';
export { rateLimit, rateLimit as default, type RateLimitHandler, type RateLimitOptions } from './rate-limit.js';
