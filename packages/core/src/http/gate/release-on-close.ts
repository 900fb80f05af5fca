import { release } from '../../limiter/decisions/refund.js';
import type { Decision } from '../../model/decision.js';
import type { HttpSocket } from '../request.js';
import { onClose, type ClosingResponse } from './on-close.js';
import { refundQuietly } from './refund-quietly.js';

/** A request that holds permits, as far as its end can be seen. */
export interface ClosingRequest {
  /** Undefined for an upgrade, which has none. */
  readonly response?: ClosingResponse | undefined;
  readonly socket?: HttpSocket | undefined;
}

/**
 * Ends the permits of a decision when its response has been sent, or its connection has closed. Adapters do so by
 * themselves. Call it for a WebSocket, which has no response.
 *
 * @example
 * server.on('upgrade', async (request, socket) => {
 *   const decision = await limiter.consume(request);
 *   releaseOnClose(decision, { socket });
 * });
 */
export function releaseOnClose(decision: Decision, { response, socket }: ClosingRequest): void {
  onClose(response, socket, () => void refundQuietly(() => release(decision)));
}
