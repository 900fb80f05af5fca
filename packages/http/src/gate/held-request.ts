import { type Decision, type Holder, isPromise, kindOf, release, UsageError, warn, watch } from '@sluice/core/internal';
import type { HttpRequest } from '../request/request.js';
import { routeOf } from '../request/route-of.js';
import { hasClosed, onClose, type ClosingResponse } from '../request/on-close.js';
import { refundQuietly } from './refund-quietly.js';

/** A registered symbol, so that all copies of this package find what a request holds. Its number changes with its form. */
const HELD = Symbol.for('sluice.held-request.2');

type HoldingRequest = object & { [HELD]?: HeldRequest };

/** What a request holds: permits that end when its response is closed and its handlers have ended. */
export class HeldRequest implements Holder {
  readonly #request: HttpRequest;
  readonly #response: ClosingResponse;
  readonly #decisions: Decision[] = [];
  #handlers = 0;
  #isClosed = false;

  constructor(request: HttpRequest, response: ClosingResponse) {
    this.#request = request;
    this.#response = response;
  }

  /** True if the permits have ended. */
  get isOver(): boolean {
    return this.#isClosed && this.#handlers === 0;
  }

  add(decision: Decision): void {
    this.#decisions.push(decision);
    watch(decision, this);
    this.#endIfOver();
  }

  close(): void {
    this.#isClosed = true;
    this.#endIfOver();
  }

  look(): ReturnType<Holder['look']> {
    if (!this.#isClosed && hasClosed(this.#response, this.#request.socket)) this.close();
    if (!this.#isClosed) return 'running';
    return this.#handlers > 0 ? 'left' : 'over';
  }

  onAbandoned(tier: string): void {
    const { name, pattern } = routeOf(this.#request);
    warn(
      'SLUICE_HANDLER_OUTLIVES_CLIENT',
      `rateLimit: a handler of ${name} has worked on for at least 30 s after its response was closed, so that the tier ` +
        `'${tier}' counts it no more. End the work when its client leaves: pass it an AbortSignal. If it has to work on, ` +
        `write how long it may count, such as longest: '10m'`,
      pattern,
    );
  }

  /** A handler works from now on, until its result settles. */
  begin(): void {
    this.#handlers += 1;
  }

  end(): void {
    this.#handlers -= 1;
    this.#endIfOver();
  }

  #endIfOver(): void {
    if (!this.isOver) return;
    for (const decision of this.#decisions.splice(0)) void refundQuietly(() => release(decision));
  }
}

/**
 * Holds what a decision took for a request.
 *
 * @returns false if the client has left while the store decided: nothing is held
 */
export function holdFor(request: HttpRequest, response: ClosingResponse, decision: Decision): boolean {
  const held = heldBy(request) ?? watched(request, response);
  held.add(decision);
  return !held.isOver;
}

/**
 * Runs the work of a request. The permits of the request end when the work has ended and the response is closed. Without
 * it they end with the response, and a client that leaves early has the next one begin beside its work. Adapters that know
 * the handler call it themselves. Work whose client left before it began does not run.
 *
 * @param request as the gate got it
 * @param onGone makes the result for a client that has left. @default undefined
 * @throws UsageError if the arguments are no request and no function; and what the work throws
 * @example
 * const { state } = await gate.admit(request, response);
 * if (state === 'admitted') await holdWhile(request, () => answer(request, response));
 */
export function holdWhile<T>(request: object, work: () => T, onGone?: () => T): T;
export function holdWhile(request: object, work: () => unknown, onGone?: () => unknown): unknown {
  checkArguments(request, work);
  const held = heldBy(request);
  if (held === undefined) return work();
  if (held.isOver) return onGone?.();
  held.begin();
  let result: unknown;
  try {
    result = work();
  } catch (error) {
    held.end();
    throw error;
  }
  if (!isPromise(result)) {
    held.end();
    return result;
  }
  // A query of an SQL builder runs again for each `then`.
  const settled = Promise.resolve(result);
  const end = () => held.end();
  void settled.then(end, end);
  return settled;
}

/** Undefined for a request without permits. */
export function heldBy(request: object): HeldRequest | undefined {
  return Object.hasOwn(request, HELD) ? (request as HoldingRequest)[HELD] : undefined;
}

function watched(request: HttpRequest, response: ClosingResponse): HeldRequest {
  const held = new HeldRequest(request, response);
  // What a frozen request holds ends with its response.
  if (Object.isExtensible(request)) (request as HoldingRequest)[HELD] = held;
  onClose(response, request.socket, () => held.close());
  return held;
}

function checkArguments(request: unknown, work: unknown): void {
  if (typeof request === 'object' && request !== null && typeof work === 'function') return;
  const got = `${kindOf(request)} and ${kindOf(work)}`;
  throw new UsageError('USAGE_INVALID', `holdWhile: the arguments must be a request and a function, got ${got}`);
}
