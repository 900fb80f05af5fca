// peers/ knows the other libraries: one file for a library. Source files enter, and the limits that a library has in
// them leave. It imports limits/ and source/.
import type { Peer } from '../limits/peer.js';
import { expressRateLimit } from './express-rate-limit.js';
import { fastifyRateLimit } from './fastify-rate-limit.js';
import { honoRateLimiter } from './hono-rate-limiter.js';
import { nestjsThrottler } from './nestjs-throttler.js';
import { rateLimiterFlexible } from './rate-limiter-flexible.js';

/** The libraries whose programs are translated. */
export const PEERS: readonly Peer[] = [
  expressRateLimit,
  fastifyRateLimit,
  honoRateLimiter,
  nestjsThrottler,
  rateLimiterFlexible,
];
