import { Inject } from '@nestjs/common';

import type { At } from './rate-limit-options.js';

// Registered, so that the two builds of this package know each other's.
export const MODULE_OPTIONS = Symbol.for('sluice.nestjs.options');
export const RATE_LIMITS = Symbol.for('sluice.nestjs.rate-limits');

/** The tokens of the limiters, for `moduleRef.get` and factories. */
export const RATE_LIMITER = Symbol.for('sluice.nestjs.rate-limiter');
export const AUTHENTICATED_RATE_LIMITER = Symbol.for('sluice.nestjs.authenticated-rate-limiter');

/** Injects the limiter of the module's own limits: for services, WebSocket gateways, GraphQL resolvers and jobs. */
export function InjectRateLimiter(at: At = 'entry'): ParameterDecorator & PropertyDecorator {
  return Inject(at === 'entry' ? RATE_LIMITER : AUTHENTICATED_RATE_LIMITER);
}
