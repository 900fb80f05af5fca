// @sluice/hono translates between Hono's context and the gate of @sluice/http. Requests enter by `rateLimit`, and
// denials leave as responses. It imports @sluice/http.
export type { HandlerDecorator } from '@sluice/http/adapter';
export * from '@sluice/http/app';
export type { AddressOptions } from './client-address.js';
export { HonoSubject } from './hono-subject.js';
export { limited } from './limited.js';
export { rateLimit, type OnDenied, type RateLimitHandler, type RateLimitOptions } from './rate-limit.js';
// oxlint-disable-next-line import/no-default-export -- like the other adapters
export { rateLimit as default } from './rate-limit.js';
