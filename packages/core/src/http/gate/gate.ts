import type { LimiterOptions } from '../../limiter/limiter-options.js';
import { createLimiterIn, type Limiter } from '../../limiter/limiter.js';
import type { Decision } from '../../model/decision.js';
import type { MaybePromise } from '../../async/maybe-promise.js';
import type { Admission } from './admission.js';
import { GATE_OPTIONS, readGateOptions, type GatedLimiterOptions } from './gate-options.js';
import type { GateResponse } from '../response.js';
import { byIp } from '../keys/ip.js';
import { enterState, stateOf } from './request-state.js';
import { ProxyCheck, type ProxyTrust } from './proxy-check.js';
import { isPreflight, type HttpRequest } from '../request.js';
import { NOT_COUNTED, Exchange, type GateConfig } from './exchange.js';

/** Puts a limiter in front of HTTP, whatever the framework: an adapter hands it requests and does what it says. */
export interface Gate<S, OnDenied = never> {
  readonly limiter: Limiter<S>;
  readonly onDenied: OnDenied | undefined;
  /**
   * Decides about a request, sets the headers of its response, and has it wait for its turn where it has to. Rejects
   * with UsageError when a function of the application fails.
   */
  admit(request: S, response: GateResponse): MaybePromise<Admission>;
  /** The decision that was made about a request at this gate. */
  decision(request: S): Decision | undefined;
}

/**
 * @param options a limiter, or its options and the gate's together
 * @param trust tells whose word the framework takes for a client's address
 * @throws ConfigError that names the option, the rule and the value
 */
export function createGate<S extends HttpRequest, OnDenied = never>(
  options: GatedLimiterOptions<S, OnDenied> | Limiter<S>,
  trust?: (request: S) => ProxyTrust,
): Gate<S, OnDenied> {
  const read = readGateOptions(options);
  const { limiter = ownLimiter(read) } = read;
  return new LimiterGate({ limiter, options: read, dialects: read.headers ?? ['x-ratelimit'] }, read.onDenied, trust);
}

function ownLimiter<S extends HttpRequest>(options: GatedLimiterOptions<S, unknown>): Limiter<S> {
  const cost = typeof options.cost === 'number' ? options.cost : undefined;
  return createLimiterIn({ key: byIp(), cost, alsoAllowed: GATE_OPTIONS }, options as unknown as LimiterOptions<S>);
}

class LimiterGate<S extends HttpRequest, OnDenied> implements Gate<S, OnDenied> {
  readonly limiter: Limiter<S>;
  readonly onDenied: OnDenied | undefined;
  readonly #terms: GateConfig<S>;
  readonly #watch: ProxyCheck | undefined;

  constructor(terms: GateConfig<S>, onDenied: OnDenied | undefined, trust: ((request: S) => ProxyTrust) | undefined) {
    this.limiter = terms.limiter;
    this.onDenied = onDenied;
    this.#terms = terms;
    this.#watch = trust && new ProxyCheck(trust);
  }

  admit(request: S, response: GateResponse): MaybePromise<Admission> {
    if (isPreflight(request)) return NOT_COUNTED;
    // Before anything is waited for: the address has to be read while the client is there.
    const passage = enterState(request, this.#watch);
    return new Exchange(this.#terms, request, response, passage).admission();
  }

  decision(request: S): Decision | undefined {
    return stateOf(request)?.counted.findLast(({ gate }) => gate === this.#terms)?.decision;
  }
}
