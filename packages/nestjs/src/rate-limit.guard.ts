import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { ConfigError, type GateResponse, type HttpRequest } from '@sluice/http';

import { GUARD_NAMES, GUARD_STAGE, type GuardStage } from './limits/guard-stage.js';
import type { Gates, LimitRegistry } from './limits/limit-registry.js';
import { LIMIT_REGISTRY } from './limits/registry-token.js';
import type { Method } from './limits/route-metadata.js';
import { RateLimitException } from './rate-limit.exception.js';

/** The gates that a request has already met. */
const MET_GATES = Symbol.for('sluice.nestjs.met-gates');

interface LimitedRequest extends HttpRequest {
  [MET_GATES]?: Set<object>;
}

/**
 * Enforces limits on HTTP requests: on all handlers as `APP_GUARD`, on some by `@UseGuards`. A denied request ends in a
 * RateLimitException. Other kinds of calls, such as WebSocket messages, pass.
 *
 * @example
 * ```ts
 * providers: [{ provide: APP_GUARD, useExisting: RateLimitGuard }]
 * ```
 */
export class RateLimitGuard implements CanActivate {
  readonly #registry: LimitRegistry;

  /** @throws ConfigError for a guard that Nest has not made */
  constructor(registry: LimitRegistry) {
    this.#registry = checked(registry, 'entry');
  }

  get [GUARD_STAGE](): GuardStage {
    return 'entry';
  }

  canActivate(context: ExecutionContext): true | Promise<true> {
    return checkLimits(this.#registry, 'entry', context);
  }
}

/**
 * Enforces the limits with `at: 'authenticated'`. Provide it after the guard that authenticates. A RateLimitGuard
 * before that one saves it the work for requests above a limit.
 */
export class AuthenticatedRateLimitGuard implements CanActivate {
  readonly #registry: LimitRegistry;

  /** @throws ConfigError for a guard that Nest has not made */
  constructor(registry: LimitRegistry) {
    this.#registry = checked(registry, 'authenticated');
  }

  get [GUARD_STAGE](): GuardStage {
    return 'authenticated';
  }

  canActivate(context: ExecutionContext): true | Promise<true> {
    return checkLimits(this.#registry, 'authenticated', context);
  }
}

// Called by hand, because the build emits no metadata of constructors.
for (const Guard of [RateLimitGuard, AuthenticatedRateLimitGuard]) {
  Injectable()(Guard);
  Inject(LIMIT_REGISTRY)(Guard, undefined, 0);
}

/** Without the registry every request would fail. */
function checked(registry: LimitRegistry | undefined, stage: GuardStage): LimitRegistry {
  if (registry !== undefined) return registry;
  const name = GUARD_NAMES[stage];
  const rule = `write { provide: APP_GUARD, useExisting: ${name} } or @UseGuards(${name}), not new ${name}()`;
  throw new ConfigError('USAGE_INVALID', 'registry', undefined, `${name}: Nest makes it: ${rule}`);
}

function checkLimits(registry: LimitRegistry, stage: GuardStage, context: ExecutionContext): true | Promise<true> {
  if (context.getType() !== 'http') return true;
  const gates = registry.gates(stage, context.getClass(), context.getHandler() as Method);
  if (gates.length === 0) return true;
  const http = context.switchToHttp();
  return passGates(gates, http.getRequest(), registry.platform.response(http.getResponse()));
}

/** Passes gates in order, each once for a request: a guard that runs twice counts once. */
async function passGates(gates: Gates, request: LimitedRequest, response: GateResponse): Promise<true> {
  const met = (request[MET_GATES] ??= new Set());
  for (const gate of gates) {
    if (met.has(gate)) continue;
    met.add(gate);
    const admission = await gate.admit(request, response);
    // The response has ended, so neither the handler nor a filter may run. The promise is collected with the request.
    if (admission.state === 'ended') return new Promise(() => {});
    if (admission.state === 'denied') throw new RateLimitException(admission, await admission.body());
  }
  return true;
}
