// visits/ remembers one request at the gates that it passes: its address, its decision and the gates before. A request
// enters at its first gate. It imports request, and types of headers.
import { Socket } from 'node:net';

import { type Decision, type Limiter, processWide, TieredDecision } from '@sluice/core/internal';
import type { HeaderFormat } from '../headers/header-formats.js';
import type { HttpRequest } from '../request/request.js';
import type { GateResponse } from '../request/response.js';

/** A gate, as later gates of a request see it. */
export interface VisitedGate {
  readonly limiter: Limiter<never>;
  /** Empty for a gate that sends no headers. */
  readonly formats: readonly HeaderFormat[];
  /** The option `shed`. */
  readonly shed?: object | undefined;
}

/** A visit whose gate has decided. */
export type DecidedVisit = Visit & { readonly decision: Decision };

/** Looks at the address that a visit has read. */
export interface AddressWatch {
  inspectAddress(request: HttpRequest): void;
}

/**
 * A request at a gate: its address as it was at entry, and then the decision of the gate, which leads back to it. It links to the visit
 * at an earlier gate.
 */
export class Visit {
  readonly gate: VisitedGate;
  readonly request: HttpRequest;
  readonly response: GateResponse;
  /** At an earlier gate of the same request. */
  readonly earlier: DecidedVisit | undefined;
  /** Undefined until the gate has decided. */
  decision: Decision | undefined;
  #address: string | undefined;
  #hasAddress: boolean;
  #watch: AddressWatch | undefined;
  /** The gate looks for mistakes. */
  readonly isWatched: boolean;

  /** Reads the address now if it cannot be read later: after an await the client can be gone, and its address with it. */
  constructor(gate: VisitedGate, request: HttpRequest, response: GateResponse, watch?: AddressWatch) {
    this.gate = gate;
    this.request = request;
    this.response = response;
    this.earlier = decidedVisitOf(request);
    this.decision = undefined;
    this.#address = undefined;
    this.#hasAddress = false;
    // The first gate of a request looks at its address.
    this.#watch = this.earlier === undefined ? watch : undefined;
    this.isWatched = watch !== undefined;
    if (!isAddressLasting(request)) this.captureAddress();
  }

  /** The limiter of the gate. */
  get limiter(): Limiter<never> {
    return this.gate.limiter;
  }

  /** Fixes the address before a function of the application can change the fields that it is read from. */
  captureAddress(): void {
    if (this.#hasAddress) return;
    const { request } = this;
    const known = this.earlier ?? (Object.hasOwn(request, VISIT) ? this.#uncountedVisit() : undefined);
    this.#address = known?.hasAddress ? known.readAddress() : reportedAddress(request);
    this.#hasAddress = true;
  }

  get hasAddress(): boolean {
    return this.#hasAddress;
  }

  renewAddress(): void {
    this.#hasAddress = false;
  }

  /** The address as the framework reports it. Undefined if it cannot be read. */
  readAddress(): string | undefined {
    if (!this.#hasAddress) this.captureAddress();
    // Proxy settings matter only if a tier uses the address.
    if (this.#watch !== undefined && this.#address !== undefined) {
      this.#watch.inspectAddress(this.request);
      this.#watch = undefined;
    }
    return this.#address;
  }

  /** The visit at an earlier gate that has not counted the request. Its socket is asked again if it remembers its peer. */
  #uncountedVisit(): Visit | undefined {
    const visit = attachedVisitOf(this.request);
    return visit === undefined || visit === this || isAddressLasting(this.request) ? undefined : visit;
  }
}

/** The visit whose limiter calls its functions: identities find it by its request. All copies of this package read it. */
export const current = processWide('visit', (): { visit: Visit | undefined } => ({ visit: undefined }));

/** A registered symbol, so that all copies of this package find a visit. Its number changes with its form. */
const VISIT = Symbol.for('sluice.visit.1');

interface Carrier {
  [VISIT]?: Visit;
  rateLimit?: unknown;
}

/** Lets identities find a visit that is not decided, when their limiter calls them after an await. */
export function attach(visit: Visit): void {
  const { request } = visit;
  if (Object.isExtensible(request)) (request as Carrier)[VISIT] = visit;
}

/** Ends a visit with a decision. */
export function decide(visit: Visit, decision: Decision): DecidedVisit {
  visit.decision = decision;
  TieredDecision.accompany(decision, visit);
  keepDecision(visit.request, decision);
  return visit as DecidedVisit;
}

/** Puts a decision on its request, where applications read it and later gates find its visit. */
export function keepDecision(request: object, decision: Decision): void {
  try {
    (request as Carrier).rateLimit = decision;
  } catch {
    // A frozen request takes no property: no later gate finds this decision.
  }
}

/** A visit of a request, for its address. A copy of the request has none. */
export function visitOf(subject: unknown): Visit | undefined {
  const { visit } = current;
  if (visit !== undefined && visit.request === subject) return visit;
  if (typeof subject !== 'object' || subject === null) return undefined;
  return attachedVisitOf(subject) ?? decidedVisitOf(subject);
}

/** Another gate reads the address of a request from elsewhere. */
export function renewAddress(request: object): void {
  attachedVisitOf(request)?.renewAddress();
  decidedVisitOf(request)?.renewAddress();
}

/** The last visit of a request that a gate has decided. */
export function decidedVisitOf(request: object): DecidedVisit | undefined {
  // Looking for a missing property along the prototypes of a request is slow.
  if (!Object.hasOwn(request, 'rateLimit')) return undefined;
  const { rateLimit } = request as Carrier;
  return rateLimit === undefined
    ? undefined
    : (visitAt(request, TieredDecision.companionOf(rateLimit)) as DecidedVisit | undefined);
}

function attachedVisitOf(request: object): Visit | undefined {
  return Object.hasOwn(request, VISIT) ? visitAt(request, (request as Carrier)[VISIT]) : undefined;
}

function visitAt(request: object, found: object | undefined): Visit | undefined {
  return (found as Visit | undefined)?.request === request ? (found as Visit) : undefined;
}

/** The address as the framework reports it, even if undefined. Without a framework, the address of the peer. */
export function reportedAddress(request: HttpRequest): string | undefined {
  return 'ip' in request ? request.ip : request.socket?.remoteAddress;
}

interface VersionedRequest extends HttpRequest {
  readonly httpVersionMajor?: number;
  /** Node's request, where the framework has one of its own. */
  readonly raw?: { readonly httpVersionMajor?: number };
}

/** A socket remembers its peer once it was read. Over HTTP/2 the socket is gone when the request has ended. */
function isAddressLasting(request: VersionedRequest): boolean {
  const { socket } = request;
  if (!(socket instanceof Socket) || socket.remoteAddress === undefined) return false;
  return (request.httpVersionMajor ?? request.raw?.httpVersionMajor) === 1;
}
