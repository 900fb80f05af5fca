// @sluice/fastify translates between Fastify's hooks and the gate of @sluice/http. Requests enter by a plugin or a
// route's option. It imports @sluice/core and @sluice/http.
export type { HandlerDecorator } from '@sluice/http/adapter';
export * from '@sluice/http/app';
export type { HookOptions, LimitedRequest, OnDenied } from './fastify-gate.js';
export { limited } from './limited.js';
export { rateLimit, rateLimit as default, type RateLimitOptions } from './rate-limit.js';
export type { HookName, RateLimitHook } from './rate-limit-hook.js';
export type { RouteRateLimit } from './route-limits.js';
