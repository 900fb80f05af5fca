// @sluice/server decides requests of programs in any language by a file of policies: by Envoy's protocol of rate limits, and
// by HTTP. Calls of other programs enter. It imports the packages that limit, measure and show.
export type { ServedRequest } from './deciding/served-request.js';
export type { BoundOptions, LimiterChoices, ListenOptions, ServeOptions, TlsOptions } from './serve-options.js';
export type { RateLimitServer } from './rate-limit-server.js';
export { serve } from './serve.js';
