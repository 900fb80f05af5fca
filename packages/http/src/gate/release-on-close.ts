import { type Decision, isPromise, kindOf, release, TieredDecision, UsageError, watch } from '@sluice/core/internal';
import type { HttpSocket } from '../request/request.js';
import { hasClosed, onClose, type ClosingResponse } from '../request/on-close.js';
import { refundQuietly } from './refund-quietly.js';

/** A request, as far as its end can be seen. */
export interface ClosingRequest {
  /** Undefined for an upgrade, which has none. */
  readonly response?: ClosingResponse | undefined;
  readonly socket?: HttpSocket | undefined;
}

/**
 * Ends what a decision holds when its response has been sent, or its connection has closed. Adapters do so by
 * themselves. Call it for a WebSocket, which has no response.
 *
 * @throws UsageError for a decision that `consume` has not returned, and for a request whose end cannot be seen
 * @example
 * server.on('upgrade', async (request, socket) => {
 *   const decision = await limiter.consume(request);
 *   releaseOnClose(decision, { socket });
 * });
 */
export function releaseOnClose(decision: Decision, closing: ClosingRequest): void {
  if (TieredDecision.findLimiter(Object(decision) as Decision) === undefined) {
    const got = isPromise(decision) ? 'a promise: await it' : kindOf(decision);
    throw invalid(`the decision must be one that consume has returned, got ${got}`);
  }
  const { response, socket } = Object(closing) as ClosingRequest;
  // A response that stands alone has a socket too. It stays open for the next requests of its connection.
  if (isEmitter(closing) || !(isEmitter(response) || isEmitter(socket))) {
    throw invalid(`the second argument must be { response } or { socket } of Node, got ${kindOf(closing)}`);
  }
  const end = () => void refundQuietly(() => release(decision));
  const look = () => {
    if (!hasClosed(response, socket)) return 'running';
    end();
    return 'over';
  };
  watch(decision, { look, onAbandoned() {} });
  onClose(response, socket, end);
}

function isEmitter(given: unknown): boolean {
  return typeof (Object(given) as Partial<HttpSocket>).once === 'function';
}

function invalid(rule: string): UsageError {
  return new UsageError('USAGE_INVALID', `releaseOnClose: ${rule}`);
}
