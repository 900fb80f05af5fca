import {
  callUserFunction,
  chain,
  ConfigError,
  type ConsumeOptions,
  type Decider,
  deciderOf,
  factsOf,
  type Decision,
  invalidResult,
  isSluiceError,
  type Limiter,
  listed,
  type MaybePromise,
  mayHold,
  sleep,
  type StopSignal,
  TieredDecision,
  undecided,
  warn,
} from '@sluice/core/internal';
import type { HeaderFormat } from '../headers/header-formats.js';
import { broughtIn } from '../headers/place-header.js';
import { ownBody, problemBody, type Body } from '../problem/negotiated-body.js';
import { listedProblem, problemOf, type Problem } from '../problem/problem.js';
import { violationOf, type Violation } from '../problem/violation.js';
import { headerOf, isPreflight, type HttpRequest } from '../request/request.js';
import type { GateResponse } from '../request/response.js';
import type { Admission } from './admission.js';
import type { Denied, GateOptions } from './gate-options.js';
import { AddressRules } from './address-rules.js';
import { holdFor } from './held-request.js';
import { invalidFlag } from './invalid-flag.js';
import { INSPECTED_FIRST, INSPECTED_LATER, Mistakes, warnOfCountingTwice, warnOfDemotion } from './mistakes.js';
import { hasClosed, onClose } from '../request/on-close.js';
import { isForwarded, warnOfAllowedProxy, type ProxyCheck } from '../request/proxy-check.js';
import { refundByStatus } from './refund-by-status.js';
import { refundQuietly } from './refund-quietly.js';
import type { Shedding } from './shedding.js';
import { unlessShed, type Step } from './unless-shed.js';
import {
  attach,
  current,
  decide,
  decidedVisitOf,
  keepDecision,
  Visit,
  type DecidedVisit,
  type VisitedGate,
} from '../visits/visit.js';
import { reportedFirst, waitOf } from '../visits/visits.js';
import { writeHeaders } from './write-headers.js';

const NOT_COUNTED: Admission = { state: 'admitted', decision: undefined };
const ENDED: Admission = { state: 'ended' };
const NO_FORMATS: readonly HeaderFormat[] = [];
const DEFAULT_FORMATS: readonly HeaderFormat[] = ['x-ratelimit'];
const SIGN_IN: Violation = { policies: ['login'], told: undefined, added: [] };
const OWNER = 'rateLimit';

/** The gate of `createGate`. The interface `Gate` documents its methods. */
export class LimiterGate<S extends HttpRequest, OnDenied> implements VisitedGate {
  readonly limiter: Limiter<S>;
  readonly onDenied: OnDenied | undefined;
  readonly formats: readonly HeaderFormat[];
  readonly shed: Shedding<S> | undefined;
  readonly #options: GateOptions<S, OnDenied>;
  readonly #decider: Decider<S>;
  readonly #proxyCheck: ProxyCheck | undefined;
  readonly #mistakes: Mistakes;
  #requests = 0;
  readonly #isSignInLimiter: boolean;
  /** A request may have units that come back when it ends, or wait for them. */
  readonly #mayHold: boolean;
  /** A request may bring its place in line. */
  readonly #mayBring: boolean;
  readonly #hasRules: boolean;
  /** What the options ask for. Undefined for a gate that counts each request by a number. */
  readonly #first: Step | undefined;
  /** Undefined for 1 unit. */
  readonly #cost: ConsumeOptions | undefined;

  constructor(limiter: Limiter<S>, options: GateOptions<S, OnDenied>, proxyCheck: ProxyCheck | undefined) {
    this.limiter = limiter;
    this.#decider = deciderOf(limiter);
    this.onDenied = options.onDenied;
    this.shed = options.shed;
    this.#options = options;
    const facts = factsOf(limiter);
    this.#isSignInLimiter = facts.isSignInLimiter === true;
    if (this.#isSignInLimiter && options.refundWhen) throw refundedSignIn();
    // They would tell a stranger when the owner signs in.
    this.formats = this.#isSignInLimiter ? NO_FORMATS : (options.headers ?? DEFAULT_FORMATS);
    this.#proxyCheck = proxyCheck;
    this.#mistakes = new Mistakes(proxyCheck, options.shed !== undefined);
    this.#mayHold = mayHold(limiter);
    this.#mayBring = facts.mayBring !== false;
    if (options.shed === undefined && facts.mayDemote === true) warnOfDemotion();
    const { allow, deny, cost = 1 } = options;
    this.#cost = cost === 1 || typeof cost === 'function' ? undefined : { cost };
    this.#hasRules = allow !== undefined || deny !== undefined;
    this.#first = this.#firstStep();
  }

  admit(request: S, response: GateResponse): MaybePromise<Admission> {
    // No tier counts a preflight. Lists are also for preflights: a route may answer every method.
    if (request.method === 'OPTIONS' && !this.#hasRules && isPreflight(request)) return NOT_COUNTED;
    const number = (this.#requests += 1);
    const isInspected = number <= INSPECTED_FIRST || number % INSPECTED_LATER === 0;
    const visit = new Visit(this, request, response, isInspected ? this.#mistakes : undefined);
    return this.#first === undefined ? this.#consume(visit, this.#cost) : this.#first(visit);
  }

  decision(request: S): Decision | undefined {
    let visit = decidedVisitOf(request);
    while (visit !== undefined && visit.gate !== this) visit = visit.earlier;
    return visit?.decision;
  }

  #firstStep(): Step | undefined {
    const { skip, cost, allow, deny, shed } = this.#options;
    let step: Step | undefined;
    if (typeof cost === 'function') step = (visit) => this.#consumeBy(visit, cost);
    if (shed) step = this.#unlessShed(shed, step ?? this.#counted);
    if (skip) step = this.#unlessSkipped(skip, step ?? this.#counted);
    if (this.#hasRules) step = this.#byRules(new AddressRules(OWNER, { allow, deny }), step ?? this.#counted);
    return step;
  }

  readonly #counted: Step = (visit) => this.#consume(visit, this.#cost);

  #consumeBy(visit: Visit, cost: (request: S) => MaybePromise<number>): MaybePromise<Admission> {
    visit.captureAddress();
    return chain(callUserFunction(OWNER, 'cost', cost, visit.request as S), (units: unknown) =>
      isCost(units)
        ? this.#consume(visit, { cost: units })
        : Promise.reject(invalidResult(OWNER, 'cost', 'an integer of at least 0', units)),
    );
  }

  #unlessShed(shed: Shedding<S>, next: Step): Step {
    return unlessShed(shed, {
      next,
      refuse: (visit, refusal) => this.#applyDecision(visit, refusal),
      refund: (decision) => this.limiter.refund(decision),
    });
  }

  #unlessSkipped(skip: (request: S) => MaybePromise<boolean | undefined>, next: Step): Step {
    return (visit) => {
      visit.captureAddress();
      return chain(callUserFunction(OWNER, 'skip', skip, visit.request as S), (isSkipped: unknown) => {
        if (!isSkipped) return next(visit);
        if (isSkipped !== true) return Promise.reject(invalidFlag(OWNER, 'skip', isSkipped));
        attach(visit);
        return NOT_COUNTED;
      });
    };
  }

  #byRules(rules: AddressRules, next: Step): Step {
    const applyRules: Step = (visit) => {
      const verdict = rules.verdict(visit.readAddress());
      if (verdict === 'deny') return this.#denyListed(visit);
      if (verdict === 'unavailable') return this.#applyDecision(visit, undecided());
      if (!isPreflight(visit.request) && (verdict !== 'allow' || this.#isOfProxy(visit))) return next(visit);
      attach(visit);
      return NOT_COUNTED;
    };
    return (visit) => {
      const starting = rules.started();
      if (starting === undefined) return applyRules(visit);
      visit.captureAddress();
      return starting.then(() => applyRules(visit));
    };
  }

  /** The address is that of a proxy which the framework does not trust. Then all clients behind it have this address. */
  #isOfProxy(visit: Visit): boolean {
    const { request } = visit;
    if (!isForwarded(request)) return false;
    const isPeer = request.socket !== undefined && request.socket.remoteAddress === visit.readAddress();
    if (!isPeer && this.#proxyCheck?.trustOf(request) !== 'none') return false;
    warnOfAllowedProxy();
    return true;
  }

  #consume(visit: Visit, given: ConsumeOptions | undefined): MaybePromise<Admission> {
    const { limiter } = this;
    const brought = this.#mayBring ? broughtIn(visit.request) : undefined;
    const options = brought === undefined ? given : { ...given, ...brought };
    const waiting =
      this.#mayHold && factsOf(limiter).mayWait?.() ? { ...options, signal: disconnectOf(visit) } : options;
    const outer = current.visit;
    let decision: MaybePromise<Decision>;
    current.visit = visit;
    try {
      decision = this.#decider.decide(visit.request as S, waiting);
    } finally {
      // A limiter of an application may throw.
      current.visit = outer;
    }
    if (!(decision instanceof Promise)) return this.#applyDecision(visit, decision);
    // Identities may still be read, for a limiter whose functions are async.
    attach(visit);
    return decision.then(
      (decided) => this.#applyDecision(visit, decided),
      (error: unknown) => this.#applyDecision(visit, decisionOfClosedStore(error)),
    );
  }

  #applyDecision(entered: Visit, decision: Decision): MaybePromise<Admission> {
    const visit = decide(entered, decision);
    const { request, response } = visit;
    if (visit.earlier !== undefined) warnOfCountingTwice(visit);
    if (visit.isWatched) this.#mistakes.inspectDecision(visit);
    // A client that has left gets no work, which would run beside its limit.
    if (this.#mayHold && TieredDecision.holdsUnits(decision) && !holdFor(request, response, decision)) return ENDED;
    // While the store decided, a timeout of the application may have answered.
    const { headersSent } = response;
    if (headersSent && response.writableEnded) return this.#abandon(decision);
    if (!headersSent) writeHeaders(visit);
    if (!decision.allowed) return headersSent ? abort(response) : this.#denyByTiers(visit);

    const { refundWhen } = this.#options;
    if (refundWhen) refundByStatus(visit, (status) => refundWhen(status, request as S));
    return decision.delay > 0 ? this.#queue(visit, decision) : { state: 'admitted', decision };
  }

  #denyByTiers(visit: DecidedVisit): Admission {
    // Names of tiers would tell that an account is attacked, and where its owner signs in.
    const { policies, told, added } = this.#isSignInLimiter
      ? SIGN_IN
      : violationOf(visit.earlier ? reportedFirst(visit) : [visit]);
    const { decision } = visit;
    // No time changes what a balance denies, whatever an earlier limiter says.
    const retryAfter = decision.retryAfter === Infinity ? Infinity : waitOf(visit);
    return this.#deny(visit, decision, problemOf(decision, policies, { retryAfter, told, added }));
  }

  /** Nothing was counted, so no header reports a limit. */
  #denyListed(visit: Visit): Admission {
    const { headersSent, writableEnded } = visit.response;
    if (headersSent) return writableEnded ? ENDED : abort(visit.response);
    const decision = listed();
    keepDecision(visit.request, decision);
    return this.#deny(visit, decision, listedProblem);
  }

  #deny({ request, response }: Visit, decision: Decision, problem: Problem): Admission {
    // RFC 6585 forbids caches to store a 429, and not every cache knows the status.
    response.setHeader('cache-control', 'no-store');
    return { state: 'denied', decision, problem, body: () => this.#body(request as S, decision, problem) };
  }

  #body(request: S, decision: Decision, problem: Problem): MaybePromise<Body> {
    const { body } = this.#options;
    if (body === undefined) return problemBody(problem, headerOf(request, 'accept'));
    if (typeof body !== 'function') return ownBody(body);
    const makeBody = body as (denied: Denied<S>) => unknown;
    return chain(callUserFunction(OWNER, 'body', makeBody, { request, decision, problem }), ownBody);
  }

  async #queue({ request, response }: Visit, decision: Decision): Promise<Admission> {
    const isConnected = await sleep(decision.delay, (leave) => onClose(response, request.socket, leave));
    return isConnected && !hasClosed(response, request.socket)
      ? { state: 'admitted', decision }
      : this.#abandon(decision);
  }

  /** Frees the place of an abandoned request in its queues. Other charges stay, or disconnecting would make checks free. */
  async #abandon(decision: Decision): Promise<Admission> {
    const queues = decision.outcomes.filter((outcome) => outcome.delay > 0);
    const places = Object.fromEntries(queues.map(({ tier }) => [tier, Number.MAX_SAFE_INTEGER]));
    if (queues.length > 0) await refundQuietly(() => this.limiter.refund(decision, places));
    return ENDED;
  }
}

function isCost(units: unknown): units is number {
  return Number.isSafeInteger(units) && (units as number) >= 0;
}

/** Fires when the client disconnects. */
function disconnectOf({ request, response }: Visit): StopSignal {
  const controller = new AbortController();
  onClose(response, request.socket, () => controller.abort());
  return controller.signal;
}

/** The client has a status already, so the denied request gets no more of its response. */
function abort(response: GateResponse): Admission {
  response.end();
  return ENDED;
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
  return undecided();
}
