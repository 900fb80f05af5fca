import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';

import { admit } from './admit.js';
import { PLACE } from './guard-place.js';
import type { Method } from './handler.js';
import type { RateLimits } from './rate-limits.js';
import type { At } from './rate-limit-options.js';
import { RATE_LIMITS } from './tokens.js';

/**
 * Limits HTTP requests to handlers: as APP_GUARD those to all, by `@UseGuards` those to some. Denies with a
 * RateLimitException. What is no HTTP passes.
 */
export class RateLimitGuard implements CanActivate {
  readonly #limits: RateLimits;

  constructor(limits: RateLimits) {
    this.#limits = limits;
  }

  get [PLACE](): At {
    return 'entry';
  }

  canActivate(context: ExecutionContext): true | Promise<true> {
    return pass(this.#limits, 'entry', context);
  }
}

/**
 * Enforces the limits that say `at: 'authenticated'`. Stands behind the guard that tells who a request is from, and
 * behind a RateLimitGuard, which spares that one the work for requests that are too many.
 */
export class AuthenticatedRateLimitGuard implements CanActivate {
  readonly #limits: RateLimits;

  constructor(limits: RateLimits) {
    this.#limits = limits;
  }

  get [PLACE](): At {
    return 'authenticated';
  }

  canActivate(context: ExecutionContext): true | Promise<true> {
    return pass(this.#limits, 'authenticated', context);
  }
}

// By hand, for builds that keep no metadata of constructors.
for (const Guard of [RateLimitGuard, AuthenticatedRateLimitGuard]) {
  Injectable()(Guard);
  Inject(RATE_LIMITS)(Guard, undefined, 0);
}

function pass(limits: RateLimits, at: At, context: ExecutionContext): true | Promise<true> {
  if (context.getType() !== 'http') return true;
  const gates = limits.gates(at, context.getClass(), context.getHandler() as Method);
  if (gates.length === 0) return true;
  const http = context.switchToHttp();
  return admit(gates, http.getRequest(), limits.platform.response(http.getResponse()));
}
