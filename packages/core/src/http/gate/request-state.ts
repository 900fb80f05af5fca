import { Socket } from 'node:net';

import { ChargedDecision } from '../../limiter/decisions/charged-decision.js';
import type { Limiter } from '../../limiter/limiter.js';
import { warn } from '../../events/warning.js';
import type { Decision } from '../../model/decision.js';
import type { HeaderFormat } from '../headers/header-format.js';
import type { ProxyCheck } from './proxy-check.js';
import type { HttpRequest } from '../request.js';

/** A decision that counts for a request. */
export interface GateDecision {
  /** What tells one gate from another, also where they share a limiter. */
  readonly gate: object;
  readonly limiter: Limiter<never>;
  readonly decision: Decision;
  /** How its gate tells clients of it; not at all without any. */
  readonly dialects: readonly HeaderFormat[];
}

/** A request on its way through the gates of an application: what one of them has to know of the others. */
export class RequestState {
  #counted: readonly GateDecision[] = [];
  readonly request: HttpRequest;
  readonly #watch: ProxyCheck | undefined;
  /** The address is still to be read. */
  #waits: boolean;
  #rawAddress: string | undefined;
  #isProxyChecked = false;

  /** The address is read here, or kept readable: after an await the client may have gone, and its address with it. */
  constructor(request: HttpRequest, watch?: ProxyCheck) {
    this.request = request;
    this.#watch = watch;
    this.#waits = keepsAddress(request);
    if (!this.#waits) this.#rawAddress = rawAddress(request);
  }

  /** All decisions about the request, in the order they were made. */
  get counted(): readonly GateDecision[] {
    return this.#counted;
  }

  /** The decisions that headers tell of. */
  get announced(): readonly GateDecision[] {
    // Nearly always there is one gate.
    if (this.#counted.length === 1 && isAnnounced(this.#counted[0]!)) return this.#counted;
    return this.#counted.every(isAnnounced) ? this.#counted : this.#counted.filter(isAnnounced);
  }

  /**
   * How the request is told of by all of its gates together. All drafts have the field `RateLimit-Policy`, so it is
   * written as the first gate does that has one.
   */
  get dialects(): readonly HeaderFormat[] {
    if (this.#counted.length === 1) return this.#counted[0]!.dialects;
    const told = [...new Set(this.#counted.flatMap(({ dialects }) => dialects))];
    const draft = told.find(isDraft);
    return told.filter((name) => !isDraft(name) || name === draft);
  }

  /** Milliseconds until all limiters that deny admit the request, where waiting helps. */
  get retryAfter(): number {
    let longest = -Infinity;
    for (const { decision } of this.#counted) {
      if (decision.retryAfter < Infinity) longest = Math.max(longest, decision.retryAfter);
    }
    return longest;
  }

  count(counted: GateDecision): void {
    for (const { limiter } of this.#counted) if (limiter === counted.limiter) warnOfCountingTwice();
    // Nearly always it is the only one, and an array that grows reserves room for sixteen more.
    this.#counted = this.#counted.length === 0 ? [counted] : [...this.#counted, counted];
    if (ChargedDecision.keyBoundsOf(counted.decision).includes('presented') && !this.#counted.some(isBoundedByAddress))
      warnOfUnboundedKeys();
  }

  /** Fixes the address before a function of the application can change the fields that it is read from. */
  captureAddress(): void {
    if (!this.#waits) return;
    this.#waits = false;
    this.#rawAddress = rawAddress(this.request);
  }

  /** The address as the framework reports it. Undefined if it cannot be read. */
  readAddress(): string | undefined {
    this.captureAddress();
    // Check proxy settings only when a tier actually uses the address.
    if (!this.#isProxyChecked && this.#rawAddress !== undefined) {
      this.#isProxyChecked = true;
      this.#watch?.inspect(this.request);
    }
    return this.#rawAddress;
  }
}

/**
 * Where a request carries its passage, whichever copy of the package has put it there: the number changes with what a
 * passage is. Why no WeakMap: docs/decisions/0028-request-state.md.
 */
const PASSAGE = Symbol.for('sluice.passage.1');

interface Carrier {
  [PASSAGE]?: RequestState;
}

/** The passage of a request that has come to a gate; a copy of the request has none. */
export function stateOf(subject: unknown): RequestState | undefined {
  if (typeof subject !== 'object' || subject === null) return undefined;
  return passageIn(subject, localsOf(subject));
}

function passageIn(subject: object, locals: Carrier | undefined): RequestState | undefined {
  const passage = locals?.[PASSAGE];
  if (passage?.request === subject) return passage;
  // Where a request has none, to inspect for one along its prototypes takes longer than all else here.
  if (!Object.hasOwn(subject, PASSAGE)) return undefined;
  const own = (subject as Carrier)[PASSAGE];
  return own?.request === subject ? own : undefined;
}

/** The passage of a request, which begins when it comes to its first gate. */
export function enterState(request: HttpRequest, watch?: ProxyCheck): RequestState {
  const locals = localsOf(request);
  const known = passageIn(request, locals);
  if (known) return known;
  const passage = new RequestState(request, watch);
  if (locals && locals[PASSAGE] === undefined) locals[PASSAGE] = passage;
  else if (Object.isExtensible(request)) (request as Carrier)[PASSAGE] = passage;
  return passage;
}

/**
 * What Express lets an application keep for a request. It gives every request a hidden class of its own, so that a
 * property more takes longer than a decision; its locals are a dictionary.
 */
function localsOf(request: object): Carrier | undefined {
  const { res } = request as { res?: { locals?: Carrier } | null };
  const locals = res?.locals;
  return typeof locals === 'object' && locals !== null && Object.isExtensible(locals) ? locals : undefined;
}

/**
 * Whether the address can be read later as it could be read now. A socket that has been asked for its peer once knows
 * it for good. Over HTTP/2 there is no socket any more when a request has ended.
 */
function keepsAddress(request: HttpRequest & { readonly httpVersionMajor?: number }): boolean {
  const { socket } = request;
  return socket instanceof Socket && request.httpVersionMajor === 1 && socket.remoteAddress !== undefined;
}

/** A client has a budget for each of its addresses, and no more. */
function isBoundedByAddress({ decision }: GateDecision): boolean {
  return ChargedDecision.keyBoundsOf(decision).includes('address');
}

function isAnnounced({ dialects }: GateDecision): boolean {
  return dialects.length > 0;
}

function isDraft(name: HeaderFormat): boolean {
  return name.startsWith('draft-');
}

function warnOfCountingTwice(): void {
  warn(
    'SLUICE_COUNTED_TWICE',
    'rateLimit: a limiter has counted a request twice, so that clients have half of their limit: it stands before a router and again inside it, perhaps',
  );
}

function warnOfUnboundedKeys(): void {
  warn(
    'SLUICE_UNBOUNDED_API_KEYS',
    'byApiKey: presented keys are counted before anything has verified them, and no tier counts addresses: a client that makes up a key gets a new budget. Add a tier with byIp(), or a limiter with byIp() before this one',
  );
}

/** A framework tells `ip`, though it be undefined; where there is none the peer is the client. */
export function rawAddress(request: HttpRequest): string | undefined {
  return 'ip' in request ? request.ip : request.socket?.remoteAddress;
}
