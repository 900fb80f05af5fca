// gate/ admits or denies a request: it calls the limiter, writes the headers, and refunds and releases when the
// response ends. Requests enter from an adapter. It imports request, visits, headers, problem, keys and networks.
import {
  createLimiterIn,
  type Decision,
  type Limiter,
  type LimiterOptions,
  type MaybePromise,
} from '@sluice/core/internal';
import { byIp } from '../keys/ip.js';
import type { HttpRequest } from '../request/request.js';
import type { GateResponse } from '../request/response.js';
import type { Admission } from './admission.js';
import { GATE_ROWS, readGateOptions, type GatedLimiterOptions } from './gate-options.js';
import { LimiterGate } from './limiter-gate.js';
import { ProxyCheck, type ProxyTrust } from '../request/proxy-check.js';

/** Enforces a limiter on HTTP requests of any framework. An adapter passes requests to it, and sends its answers. */
export interface Gate<S, OnDenied = never> {
  readonly limiter: Limiter<S>;
  /** The option `onDenied`, which the adapter calls. */
  readonly onDenied: OnDenied | undefined;
  /**
   * Decides about a request, sets the headers of its response, and waits if the request is queued. Rejects with
   * UsageError if a function of the application fails.
   */
  admit(request: S, response: GateResponse): MaybePromise<Admission>;
  /** The last decision of this gate about a request. It is undefined if the gate has not decided. */
  decision(request: S): Decision | undefined;
}

/** What an adapter knows of its framework. */
export interface GateFramework<S> {
  /** The peers that the framework believes about a client's address, for warnings. */
  readonly trust?: (request: S) => ProxyTrust;
}

/**
 * Creates a gate, for a framework that has no adapter.
 *
 * @param options of a limiter and of its gate together; or of the gate, with a shared `limiter`
 * @throws ConfigError that names the option, the rule and the value
 * @example
 * const gate = createGate({ limit: 100, window: '1m' });
 * const admission = await gate.admit(request, response);
 */
export function createGate<S extends HttpRequest, OnDenied = never>(
  options: GatedLimiterOptions<S, OnDenied>,
  { trust }: GateFramework<S> = {},
): Gate<S, OnDenied> {
  const gateOptions = readGateOptions(options);
  const { limiter = ownLimiter(gateOptions) } = gateOptions;
  return new LimiterGate(limiter, gateOptions, trust && new ProxyCheck(trust));
}

function ownLimiter<S extends HttpRequest>(options: GatedLimiterOptions<S, unknown>): Limiter<S> {
  const cost = typeof options.cost === 'number' ? options.cost : undefined;
  const context = { owner: 'rateLimit', key: byIp(), cost, alsoAllowed: GATE_ROWS };
  return createLimiterIn(context, options as unknown as LimiterOptions<S>);
}
