import { callUserFunction, type MaybePromise, warn } from '@sluice/core/internal';
import { invalidFlag } from './invalid-flag.js';
import { refundQuietly } from './refund-quietly.js';
import type { DecidedVisit } from '../visits/visit.js';
import { afterResponse } from '../visits/visits.js';

type RefundWhen = (status: number) => MaybePromise<boolean>;

const OWNER = 'rateLimit';
const OK = 200;

/**
 * A client brings them about for work that was done, by a header such as `If-None-Match: *`. They are refunded only where
 * the same request with status 200 is.
 */
const CHOSEN_BY_HEADER: readonly number[] = [304, 412, 416];

/** Refunds an admitted request when its response was sent, if the function says so of its status. */
export function refundByStatus(visit: DecidedVisit, refundWhen: RefundWhen): void {
  const { response, limiter, decision } = visit;
  afterResponse(visit, () => {
    // Node also emits `finish` if the client disconnects before the end of the response.
    if (response.destroyed) return;
    const status = response.statusCode;
    void refundQuietly(async () => {
      if (!(await isRefunded(status, refundWhen))) return;
      if (CHOSEN_BY_HEADER.includes(status) && !(await isRefunded(OK, refundWhen))) return warnOfRefused(status);
      await limiter.refund(decision);
    });
  });
}

async function isRefunded(status: number, refundWhen: RefundWhen): Promise<boolean> {
  const answer = await callUserFunction(OWNER, 'refundWhen', refundWhen, status);
  if (!answer || answer === true) return answer === true;
  throw invalidFlag(OWNER, 'refundWhen', answer);
}

function warnOfRefused(status: number): void {
  warn(
    'SLUICE_REFUND_REFUSED',
    `rateLimit: refundWhen refunds the status ${status} and not 200, so the request stays counted: a client brings ${status} about by a header, such as If-None-Match: *, and would have no limit. Leave ${CHOSEN_BY_HEADER.join(', ')} out of refundWhen`,
  );
}
