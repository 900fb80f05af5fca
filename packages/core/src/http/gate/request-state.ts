import { Socket } from 'node:net';

import { warn } from '../../events/warning.js';
import { TieredDecision } from '../../limiter/decisions/tiered-decision.js';
import type { Limiter } from '../../limiter/limiter.js';
import type { Decision } from '../../model/decision.js';
import { shared } from '../../model/shared.js';
import type { HeaderFormat } from '../headers/header-formats.js';
import type { HttpRequest } from '../request.js';
import type { GateResponse } from '../response.js';
import { isForwarded, type ProxyCheck } from './proxy-check.js';

/** A decision about a request, and the gate that made it. */
export interface GateDecision {
  /** Identifies the gate, because gates can share a limiter. */
  readonly gate: object;
  readonly limiter: Limiter<never>;
  readonly decision: Decision;
  /** Empty for a gate that sends no headers. */
  readonly formats: readonly HeaderFormat[];
}

const NO_DECISIONS: readonly GateDecision[] = [];

/** What the gates of an application share about one request: its address and their decisions. */
export class RequestState {
  readonly request: HttpRequest;
  readonly #response: GateResponse;
  #proxyCheck: ProxyCheck | undefined;
  #decisions: readonly GateDecision[] = NO_DECISIONS;
  #isAddressPending: boolean;
  #onFinish: (() => void)[] | undefined;
  #rawAddress: string | undefined;

  /** Reads the address now if it cannot be read later: after an await the client can be gone, and its address with it. */
  constructor(request: HttpRequest, response: GateResponse, proxyCheck?: ProxyCheck) {
    this.request = request;
    this.#response = response;
    this.#proxyCheck = proxyCheck;
    this.#isAddressPending = isAddressLasting(request);
    if (!this.#isAddressPending) this.#rawAddress = reportedAddress(request);
  }

  /** All decisions, oldest first. */
  get decisions(): readonly GateDecision[] {
    return this.#decisions;
  }

  /** The decisions that headers report. */
  get reported(): readonly GateDecision[] {
    const decisions = this.#decisions;
    if (decisions.length === 1 && isReported(decisions[0]!)) return decisions;
    return decisions.filter(isReported);
  }

  /** All decisions, reported ones first: a problem then names their policies as the headers do. */
  get reportedFirst(): readonly GateDecision[] {
    if (this.#decisions.every(isReported)) return this.#decisions;
    return [...this.#decisions.filter(isReported), ...this.#decisions.filter((each) => !isReported(each))];
  }

  /** The header formats of all gates. Only the first draft counts, because all drafts use `RateLimit-Policy`. */
  get formats(): readonly HeaderFormat[] {
    if (this.#decisions.length === 1) return this.#decisions[0]!.formats;
    const formats = [...new Set(this.#decisions.flatMap((each) => each.formats))];
    const draft = formats.find(isDraft);
    return formats.filter((format) => !isDraft(format) || format === draft);
  }

  get isDenied(): boolean {
    return this.#decisions.some(({ decision }) => !decision.allowed);
  }

  /** Milliseconds until all limiters admit the request: truths before hints. Those that never will are left out. */
  get retryAfter(): number {
    const waits = this.#decisions.map(({ decision }) => decision).filter(({ retryAfter }) => retryAfter < Infinity);
    const truths = waits.filter(({ retryAfter, binding }) => retryAfter > 0 && !binding?.hint);
    return Math.max(...(truths.length > 0 ? truths : waits).map(({ retryAfter }) => retryAfter));
  }

  add(added: GateDecision): void {
    TieredDecision.accompany(added.decision, this);
    const earlier = this.#decisions;
    // Literals, because an array that grows reserves room for 16 more.
    if (earlier.length === 0) this.#decisions = [added];
    else {
      if (earlier.some(({ limiter }) => limiter === added.limiter)) warnOfCountingTwice();
      this.#decisions = [...earlier, added];
    }
    const isPresented = TieredDecision.isBoundedBy(added.decision, 'presented');
    if (isPresented && !this.#decisions.some(isBoundedByAddress)) warnOfUnboundedKeys();
  }

  /** Calls back when the response was sent. One listener for all callers, because Node warns of more than ten. */
  onFinish(callback: () => void): void {
    if (this.#onFinish === undefined) {
      this.#onFinish = [];
      this.#response.once('finish', () => {
        for (const each of this.#onFinish!) each();
      });
    }
    this.#onFinish.push(callback);
  }

  /** Fixes the address before a function of the application can change the fields that it is read from. */
  captureAddress(): void {
    if (!this.#isAddressPending) return;
    this.#isAddressPending = false;
    this.#rawAddress = reportedAddress(this.request);
  }

  /** Another gate reads the address from elsewhere. */
  renewAddress(): void {
    this.#isAddressPending = true;
  }

  /** The address as the framework reports it. Undefined if it cannot be read. */
  readAddress(): string | undefined {
    this.captureAddress();
    // Proxy settings matter only if a tier uses the address.
    if (this.#proxyCheck && this.#rawAddress !== undefined) {
      const { scope } = this.#proxyCheck;
      if (scope === 'any' || (scope === 'forwarded' && isForwarded(this.request)))
        this.#proxyCheck.inspect(this.request);
      this.#proxyCheck = undefined;
    }
    return this.#rawAddress;
  }
}

/**
 * Returns the object on which a framework lets applications store values for one request, such as Express' `res.locals`.
 * Without an extensible object the request itself carries its state.
 */
export type StateHolder = (request: object) => unknown;

/** A registered symbol, so that all copies of this package find a state. Its number changes with its form. */
const STATE = Symbol.for('sluice.request-state.1');

interface Carrier {
  [STATE]?: RequestState;
}

const holders = shared('state-holders', (): StateHolder[] => []);

/** Has all gates and identities of this process look for request states there too. */
export function addStateHolder(holder: StateHolder): void {
  if (!holders.includes(holder)) holders.push(holder);
}

/** The state of a request that a gate has met. A copy of the request has none. */
export function findState(subject: unknown): RequestState | undefined {
  return typeof subject === 'object' && subject !== null ? stateIn(subject, holderOf(subject)) : undefined;
}

/** The state of a request. Its first gate makes it. */
export function stateOf(request: HttpRequest, response: GateResponse, proxyCheck?: ProxyCheck): RequestState {
  const holder = holderOf(request);
  const found = stateIn(request, holder);
  if (found) return found;
  const state = new RequestState(request, response, proxyCheck);
  if (holder && holder[STATE] === undefined) holder[STATE] = state;
  else if (Object.isExtensible(request)) (request as Carrier)[STATE] = state;
  return state;
}

function holderOf(request: object): Carrier | undefined {
  for (let index = 0; index < holders.length; index += 1) {
    const held = holders[index]!(request);
    if (typeof held === 'object' && held !== null && Object.isExtensible(held)) return held;
  }
  return undefined;
}

function stateIn(request: object, holder: Carrier | undefined): RequestState | undefined {
  const held = holder?.[STATE];
  if (held?.request === request) return held;
  if (holder !== undefined && held === undefined) return stateOfLastDecision(request);
  // Looking for a missing property along the prototypes of a request is slow.
  const own = Object.hasOwn(request, STATE) ? (request as Carrier)[STATE] : undefined;
  return own?.request === request ? own : undefined;
}

/** Applications replace `res.locals`. The last decision, which adapters set on the request, is left then. */
function stateOfLastDecision(request: object): RequestState | undefined {
  if (!Object.hasOwn(request, 'rateLimit')) return undefined;
  const state = TieredDecision.companionOf((request as { rateLimit?: unknown }).rateLimit);
  return state instanceof RequestState && state.request === request ? state : undefined;
}

/** The address as the framework reports it, even if undefined. Without a framework, the address of the peer. */
export function reportedAddress(request: HttpRequest): string | undefined {
  return 'ip' in request ? request.ip : request.socket?.remoteAddress;
}

/** A socket remembers its peer once it was read. Over HTTP/2 the socket is gone when the request has ended. */
function isAddressLasting(request: HttpRequest & { readonly httpVersionMajor?: number }): boolean {
  const { socket } = request;
  return socket instanceof Socket && request.httpVersionMajor === 1 && socket.remoteAddress !== undefined;
}

function isBoundedByAddress({ decision }: GateDecision): boolean {
  return TieredDecision.isBoundedBy(decision, 'address');
}

function isReported({ formats }: GateDecision): boolean {
  return formats.length > 0;
}

function isDraft(format: HeaderFormat): boolean {
  return format.startsWith('draft-');
}

function warnOfCountingTwice(): void {
  warn(
    'SLUICE_COUNTED_TWICE',
    'rateLimit: one limiter ran twice for the same request, so clients get half their limit. Is it mounted both on the app and on a router?',
  );
}

function warnOfUnboundedKeys(): void {
  warn(
    'SLUICE_UNBOUNDED_API_KEYS',
    'byApiKey: presented keys are counted before anything has verified them, and no tier counts addresses: a client that makes up a key gets a new budget. Add a tier with byIp(), or a limiter with byIp() before this one',
  );
}
