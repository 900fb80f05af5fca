import { chain, isPromise } from '../../async/deferred.js';
import type { MaybePromise } from '../../async/maybe-promise.js';
import { warn } from '../../events/warning.js';
import { callUserFunction } from '../../limiter/claims/call-user-function.js';
import type { ConsumeOptions } from '../../limiter/arguments.js';
import { listed, TieredDecision, unavailable } from '../../limiter/decisions/tiered-decision.js';
import type { Limiter } from '../../limiter/limiter.js';
import { isOfSignIns, mayWait } from '../../limiter/tiered-limiter.js';
import type { Decision } from '../../model/decision.js';
import type { StopSignal } from '../../model/stop-signal.js';
import { ConfigError, isSluiceError, UsageError } from '../../model/errors.js';
import { exposeHeaders } from '../headers/expose-headers.js';
import { headerFormats, type HeaderFormat } from '../headers/header-formats.js';
import { QuotaReport, retryAfterMsOf, retryAfterOf, violatedPolicies } from '../headers/quota-report.js';
import { ownBody, problemBody, type Body } from '../problem/body.js';
import { listedProblem, problemOf, type SerializedProblem } from '../problem/problem.js';
import { headerOf, isPreflight, type HttpRequest } from '../request.js';
import type { GateResponse } from '../response.js';
import type { Admission } from './admission.js';
import type { Denied, GateOptions } from './gate-options.js';
import { AddressRules } from './address-rules.js';
import { invalidFlag } from './invalid-flag.js';
import { onClose } from './on-close.js';
import { isForwarded, warnOfAllowedProxy, type ProxyCheck } from './proxy-check.js';
import { CHOSEN_BY_HEADER, refundQuietly, warnOfRefused } from './refund-quietly.js';
import { releaseWhenClosed } from './release-on-close.js';
import { findState, stateOf, type RequestState } from './request-state.js';
import { waitForTurn } from './wait-for-turn.js';

/** One request at a gate. */
interface Visit<S> {
  readonly request: S;
  readonly response: GateResponse;
  /** A preflight, which no tier counts. */
  readonly isFree: boolean;
  readonly state: RequestState;
}

const NOT_COUNTED: Admission = { state: 'admitted', decision: undefined };
const ENDED: Admission = { state: 'ended' };
const NO_FORMATS: readonly HeaderFormat[] = [];
const SIGN_IN: readonly string[] = ['login'];
const OK = 200;
const OWNER = 'rateLimit';
/** The SDKs of OpenAI and Anthropic, and clients of Azure, read it before `Retry-After`. */
const RETRY_AFTER_MS = 'retry-after-ms';
const NO_COST = `${OWNER}: the function cost must return an integer of at least 0, got undefined`;

/** The gate of `createGate`. The interface `Gate` documents its methods. */
export class LimiterGate<S extends HttpRequest, OnDenied> {
  readonly limiter: Limiter<S>;
  readonly onDenied: OnDenied | undefined;
  readonly #options: GateOptions<S, OnDenied>;
  readonly #formats: readonly HeaderFormat[];
  readonly #proxyCheck: ProxyCheck | undefined;
  readonly #rules: AddressRules | undefined;
  readonly #isOfSignIns: boolean;

  constructor(limiter: Limiter<S>, options: GateOptions<S, OnDenied>, proxyCheck: ProxyCheck | undefined) {
    this.limiter = limiter;
    this.onDenied = options.onDenied;
    this.#options = options;
    this.#isOfSignIns = isOfSignIns(limiter);
    if (this.#isOfSignIns && options.refundWhen) throw refundedSignIn();
    // They would tell a stranger when the owner signs in.
    this.#formats = this.#isOfSignIns ? NO_FORMATS : (options.headers ?? ['x-ratelimit']);
    this.#proxyCheck = proxyCheck;
    if (options.allow !== undefined || options.deny !== undefined) this.#rules = new AddressRules(OWNER, options);
  }

  admit(request: S, response: GateResponse): MaybePromise<Admission> {
    // Lists are also for preflights: a route may answer every method.
    const isFree = request.method === 'OPTIONS' && isPreflight(request);
    if (isFree && this.#rules === undefined) return NOT_COUNTED;
    const visit: Visit<S> = { request, response, isFree, state: stateOf(request, response, this.#proxyCheck) };
    const starting = this.#rules?.started();
    if (starting === undefined) return this.#decide(visit);
    visit.state.captureAddress();
    return starting.then(() => this.#decide(visit));
  }

  #decide(visit: Visit<S>): MaybePromise<Admission> {
    const verdict = this.#rules?.verdict(visit.state.readAddress());
    if (verdict === 'deny') return this.#denyListed(visit);
    if (verdict === 'unavailable') return this.#applyDecision(visit, unavailable());
    if (visit.isFree || (verdict === 'allow' && !this.#isOfProxy(visit))) return NOT_COUNTED;
    const { request } = visit;
    const { skip, cost = 1 } = this.#options;
    if (skip === undefined && typeof cost === 'number') return this.#consume(visit, cost);
    visit.state.captureAddress();
    const skipped = skip && callUserFunction(OWNER, 'skip', skip, request);
    return chain(skipped, (isSkipped) => {
      if (isSkipped) return isSkipped === true ? NOT_COUNTED : Promise.reject(invalidFlag(OWNER, 'skip', isSkipped));
      if (typeof cost === 'number') return this.#consume(visit, cost);
      return chain(callUserFunction(OWNER, 'cost', cost, request), (units) => this.#consume(visit, units));
    });
  }

  /** The address is that of a proxy which the framework does not trust. Then all clients behind it have this address. */
  #isOfProxy({ request, state }: Visit<S>): boolean {
    if (!isForwarded(request)) return false;
    const isPeer = request.socket !== undefined && request.socket.remoteAddress === state.readAddress();
    if (!isPeer && this.#proxyCheck?.trustOf(request) !== 'none') return false;
    warnOfAllowedProxy();
    return true;
  }

  decision(request: S): Decision | undefined {
    return findState(request)?.decisions.findLast(({ gate }) => gate === this)?.decision;
  }

  #consume(visit: Visit<S>, cost: unknown): MaybePromise<Admission> {
    if (cost === undefined) return Promise.reject(new UsageError('COST_INVALID', NO_COST));
    const decision = this.limiter.consume(visit.request, this.#optionsOf(visit, cost));
    if (!isPromise(decision)) return this.#applyDecision(visit, decision);
    return Promise.resolve(decision).then(
      (decided) => this.#applyDecision(visit, decided),
      (error: unknown) => this.#applyDecision(visit, decisionOfClosedStore(error)),
    );
  }

  #optionsOf(visit: Visit<S>, cost: unknown): ConsumeOptions | undefined {
    if (mayWait(this.limiter)) return { cost: cost as number, signal: disconnectOf(visit) };
    return cost === 1 ? undefined : { cost: cost as number };
  }

  #applyDecision(visit: Visit<S>, decision: Decision): MaybePromise<Admission> {
    const { request, response, state } = visit;
    state.add({ gate: this, limiter: this.limiter, decision, formats: this.#formats });
    if (TieredDecision.holdsPermits(decision)) releaseWhenClosed(decision, { response, socket: request.socket });
    // While the store decided, a timeout of the application may have answered.
    const { headersSent } = response;
    if (headersSent && response.writableEnded) return this.#abandon(decision);
    if (!headersSent) writeHeaders(visit, decision);
    if (!decision.allowed) return headersSent ? abort(response) : this.#denyByTiers(visit, decision);

    if (this.#options.refundWhen) state.onFinish(() => void this.#refundByStatus(visit, decision));
    return decision.delay > 0 ? this.#queue(visit, decision) : { state: 'admitted', decision };
  }

  #denyByTiers(visit: Visit<S>, decision: Decision): Admission {
    // Names of tiers would tell that an account is attacked, and where its owner signs in.
    const names = this.#isOfSignIns ? SIGN_IN : violatedPolicies(visit.state.reportedFirst);
    return this.#deny(visit, decision, problemOf(decision, names));
  }

  /** Nothing was counted, so no header reports a limit. */
  #denyListed(visit: Visit<S>): Admission {
    const { headersSent, writableEnded } = visit.response;
    if (headersSent) return writableEnded ? ENDED : abort(visit.response);
    return this.#deny(visit, listed(), listedProblem);
  }

  #deny({ request, response }: Visit<S>, decision: Decision, serialized: SerializedProblem): Admission {
    // RFC 6585 forbids caches to store a 429, and not every cache knows the status.
    response.setHeader('cache-control', 'no-store');
    const { problem } = serialized;
    return { state: 'denied', decision, problem, body: () => this.#body(request, decision, serialized) };
  }

  #body(request: S, decision: Decision, serialized: SerializedProblem): MaybePromise<Body> {
    const { body } = this.#options;
    if (body === undefined) return problemBody(serialized, headerOf(request, 'accept'));
    if (typeof body !== 'function') return ownBody(body);
    const makeBody = body as (denied: Denied<S>) => unknown;
    const { problem } = serialized;
    return chain(callUserFunction(OWNER, 'body', makeBody, { request, decision, problem }), ownBody);
  }

  async #queue({ request, response }: Visit<S>, decision: Decision): Promise<Admission> {
    const isConnected = await waitForTurn(decision.delay, response, request.socket);
    return isConnected ? { state: 'admitted', decision } : this.#abandon(decision);
  }

  /** Frees the place of an abandoned request in its queues. Other charges stay, or disconnecting would make checks free. */
  async #abandon(decision: Decision): Promise<Admission> {
    const queues = decision.outcomes.filter((outcome) => outcome.delay > 0);
    const places = Object.fromEntries(queues.map(({ tier }) => [tier, Number.MAX_SAFE_INTEGER]));
    if (queues.length > 0) await refundQuietly(() => this.limiter.refund(decision, places));
    return ENDED;
  }

  async #refundByStatus({ request, response }: Visit<S>, decision: Decision): Promise<void> {
    // Node also emits `finish` if the client disconnects before the end of the response.
    if (response.destroyed) return;
    const status = response.statusCode;
    await refundQuietly(async () => {
      if (!(await this.#isRefunded(status, request))) return;
      if (CHOSEN_BY_HEADER.includes(status) && !(await this.#isRefunded(OK, request))) return warnOfRefused(status);
      await this.limiter.refund(decision);
    });
  }

  async #isRefunded(status: number, request: S): Promise<boolean> {
    const refundWhen = (subject: S) => this.#options.refundWhen!(status, subject);
    const isRefunded = await callUserFunction(OWNER, 'refundWhen', refundWhen, request);
    if (!isRefunded || isRefunded === true) return isRefunded === true;
    throw invalidFlag(OWNER, 'refundWhen', isRefunded);
  }
}

/** Fires when the client disconnects. */
function disconnectOf({ request, response }: Visit<HttpRequest>): StopSignal {
  const controller = new AbortController();
  onClose(response, request.socket, () => controller.abort());
  return controller.signal;
}

/** The client has a status already, so the denied request gets no more of its response. */
function abort(response: GateResponse): Admission {
  response.end();
  return ENDED;
}

function writeHeaders({ request, response, state }: Visit<HttpRequest>, decision: Decision): void {
  const report = QuotaReport.of(state.reported);
  const formats = report ? state.formats : NO_FORMATS;
  for (let index = 0; index < formats.length; index += 1) {
    const writer = headerFormats[formats[index]!];
    if (writer.hasUnits ? report!.hasTiers : !report!.isOfPermits) writer.write(response, report!, Date.now());
  }
  const hasRetryAfter = !decision.allowed && decision.reason !== 'never';
  if (hasRetryAfter) response.setHeader('retry-after', String(retryAfterOf(state)));
  const hasMilliseconds = hasRetryAfter && formats.includes('openai');
  if (hasMilliseconds) response.setHeader(RETRY_AFTER_MS, String(retryAfterMsOf(state)));
  if (request.headers?.origin === undefined) return;
  const names = formats.flatMap((format) => headerFormats[format].names(report!));
  if (hasRetryAfter) names.push('Retry-After');
  if (hasMilliseconds) names.push(RETRY_AFTER_MS);
  exposeHeaders(response, names);
}

function refundedSignIn(): ConfigError {
  const rule = 'a status does not tell that a sign-in has succeeded. Call signedIn(decision) when it has';
  return new ConfigError(
    'OPTION_INVALID',
    'refundWhen',
    undefined,
    `${OWNER}: refundWhen must stand without loginTiers: ${rule}`,
  );
}

/** Requests behind a closed store get 503. @throws the error, if it is another one */
function decisionOfClosedStore(error: unknown): Decision {
  if (!isSluiceError(error) || error.name !== 'StoreError') throw error;
  warn('SLUICE_STORE_CLOSED', `rateLimit: requests are answered with 503, because ${error.message}`);
  return unavailable();
}
