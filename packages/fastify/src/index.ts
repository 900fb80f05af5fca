export type { HandlerDecorator } from '@sluice/http/adapter';
export * from '@sluice/http/app';
export type { HookOptions, LimitedRequest, OnDenied } from './fastify-gate.js';
export { limited } from './limited.js';
export { rateLimit, rateLimit as default, type RateLimitOptions } from './rate-limit.js';
export type { HookName, RateLimitHook } from './rate-limit-hook.js';
export type { RouteRateLimit } from './route-limits.js';
