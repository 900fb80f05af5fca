import { chain, isPromise } from '../../async/deferred.js';
import type { MaybePromise } from '../../async/maybe-promise.js';
import { warn } from '../../events/warning.js';
import { callUserFunction } from '../../limiter/claims/call-user-function.js';
import { unavailable } from '../../limiter/decisions/tiered-decision.js';
import type { Limiter } from '../../limiter/limiter.js';
import type { Decision } from '../../model/decision.js';
import { isSluiceError, UsageError } from '../../model/errors.js';
import { exposeHeaders } from '../headers/expose-headers.js';
import { headerFormats, type Header, type HeaderFormat } from '../headers/header-formats.js';
import { QuotaReport, retryAfterOf, violatedPolicies } from '../headers/quota-report.js';
import { ownBody, problemBody, type Body } from '../problem/body.js';
import { problemOf, type SerializedProblem } from '../problem/problem.js';
import { headerOf, type HttpRequest } from '../request.js';
import type { GateResponse } from '../response.js';
import type { Admission } from './admission.js';
import type { Denied, GateOptions } from './gate-options.js';
import type { ProxyCheck } from './proxy-check.js';
import { refundQuietly } from './refund-quietly.js';
import { stateOf, type RequestState } from './request-state.js';
import { waitForTurn } from './wait-for-turn.js';

/** The settings of a gate, the same for all its requests. */
export interface GateConfig<S, OnDenied = unknown> {
  readonly limiter: Limiter<S>;
  readonly options: GateOptions<S, OnDenied>;
  readonly formats: readonly HeaderFormat[];
  readonly proxyCheck: ProxyCheck | undefined;
}

/** The admission of a request that the gate ignores. */
export const NOT_COUNTED: Admission = { state: 'admitted', decision: undefined };
const ENDED: Admission = { state: 'ended' };
const OWNER = 'rateLimit';
const NO_COST = `${OWNER}: the function cost must return an integer of at least 0, got undefined`;

/** One request and its response at one gate. */
export class Exchange<S extends HttpRequest> {
  readonly #config: GateConfig<S>;
  readonly #request: S;
  readonly #response: GateResponse;
  readonly #state: RequestState;

  /** Reads the address of the request: after an await the client can be gone, and its address with it. */
  constructor(config: GateConfig<S>, request: S, response: GateResponse) {
    this.#config = config;
    this.#request = request;
    this.#response = response;
    this.#state = stateOf(request, config.proxyCheck);
  }

  admit(): MaybePromise<Admission> {
    const { skip, cost = 1 } = this.#config.options;
    if (skip === undefined && typeof cost === 'number') return this.#consume(cost);
    this.#state.captureAddress();
    const skipped = skip && callUserFunction(OWNER, 'skip', skip, this.#request);
    return chain(skipped, (isSkipped) => {
      if (isSkipped) return NOT_COUNTED;
      if (typeof cost === 'number') return this.#consume(cost);
      return chain(callUserFunction(OWNER, 'cost', cost, this.#request), (units) => this.#consume(units));
    });
  }

  #consume(cost: unknown): MaybePromise<Admission> {
    if (cost === undefined) return Promise.reject(new UsageError('COST_INVALID', NO_COST));
    const decision = this.#config.limiter.consume(this.#request, cost === 1 ? undefined : { cost: cost as number });
    if (!isPromise(decision)) return this.#applyDecision(decision);
    return Promise.resolve(decision).then(
      (decided) => this.#applyDecision(decided),
      (error: unknown) => this.#applyDecision(decisionOfClosedStore(error)),
    );
  }

  #applyDecision(decision: Decision): MaybePromise<Admission> {
    const { limiter, formats, options } = this.#config;
    this.#state.add({ gate: this.#config, limiter, decision, formats });
    // While the store decided, a timeout of the application may have answered.
    const { headersSent } = this.#response;
    if (headersSent && this.#response.writableEnded) return this.#abandon(decision);
    if (!headersSent) this.#writeHeaders(decision);
    if (!decision.allowed) return headersSent ? this.#abortResponse() : this.#deny(decision);

    if (options.refundWhen) this.#response.once('finish', () => void this.#refundByStatus(decision));
    return decision.delay > 0 ? this.#queue(decision) : { state: 'admitted', decision };
  }

  #writeHeaders(decision: Decision): void {
    const report = QuotaReport.of(this.#state.reported);
    const headers = report ? headersOf(report, this.#state.formats) : [];
    for (const header of headers) this.#response.setHeader(header[0], header[1]);
    const hasRetryAfter = !decision.allowed && decision.reason !== 'never';
    if (hasRetryAfter) this.#response.setHeader('Retry-After', String(retryAfterOf(this.#state)));
    if (this.#request.headers?.origin === undefined) return;
    const names = headers.map(([name]) => name);
    exposeHeaders(this.#response, hasRetryAfter ? [...names, 'Retry-After'] : names);
  }

  /** The client has a status already, so the denied request gets no more of its response. */
  #abortResponse(): Admission {
    this.#response.end();
    return ENDED;
  }

  #deny(decision: Decision): Admission {
    // RFC 6585 forbids caches to store a 429, and not every cache knows the status.
    this.#response.setHeader('Cache-Control', 'no-store');
    const serialized = problemOf(decision, violatedPolicies(this.#state.reportedFirst));
    const { problem } = serialized;
    return { state: 'denied', decision, problem, body: () => this.#body(decision, serialized) };
  }

  #body(decision: Decision, serialized: SerializedProblem): MaybePromise<Body> {
    const { body } = this.#config.options;
    const request = this.#request;
    if (body === undefined) return problemBody(serialized, headerOf(request, 'accept'));
    if (typeof body !== 'function') return ownBody(body);
    const makeBody = body as (denied: Denied<S>) => unknown;
    const { problem } = serialized;
    return chain(callUserFunction(OWNER, 'body', makeBody, { request, decision, problem }), ownBody);
  }

  async #queue(decision: Decision): Promise<Admission> {
    const isConnected = await waitForTurn(decision.delay, this.#response, this.#request.socket);
    return isConnected ? { state: 'admitted', decision } : this.#abandon(decision);
  }

  /** Frees the place of an abandoned request in its queues. Other charges stay, or disconnecting would make checks free. */
  async #abandon(decision: Decision): Promise<Admission> {
    const queues = decision.outcomes.filter((outcome) => outcome.delay > 0);
    const places = Object.fromEntries(queues.map(({ tier }) => [tier, Number.MAX_SAFE_INTEGER]));
    if (queues.length > 0) await refundQuietly(() => this.#config.limiter.refund(decision, places));
    return ENDED;
  }

  async #refundByStatus(decision: Decision): Promise<void> {
    // Node also emits `finish` if the client disconnects before the end of the response.
    if (this.#response.destroyed) return;
    const { limiter, options } = this.#config;
    const status = this.#response.statusCode;
    const refundWhen = (request: S) => options.refundWhen!(status, request);
    await refundQuietly(async () => {
      if (await callUserFunction(OWNER, 'refundWhen', refundWhen, this.#request)) await limiter.refund(decision);
    });
  }
}

function headersOf(report: QuotaReport, formats: readonly HeaderFormat[]): readonly Header[] {
  const now = Date.now();
  if (formats.length === 1) return headerFormats[formats[0]!](report, now);
  return formats.flatMap((format) => headerFormats[format](report, now));
}

/** Requests behind a closed store get 503. @throws the error, if it is another one */
function decisionOfClosedStore(error: unknown): Decision {
  if (!isSluiceError(error) || error.name !== 'StoreError') throw error;
  warn('SLUICE_STORE_CLOSED', `rateLimit: requests are answered with 503, because ${error.message}`);
  return unavailable();
}
