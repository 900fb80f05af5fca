import { warn } from '../../events/warning.js';
import { isSluiceError } from '../../model/errors.js';

/**
 * A client brings them about for work that was done, by a header such as `If-None-Match: *`. They are refunded only where
 * the same request with status 200 is.
 */
export const CHOSEN_BY_HEADER: readonly number[] = [304, 412, 416];

/** Refunds after the response. A failure becomes a warning, and the units stay charged. */
export async function refundQuietly(refund: () => Promise<unknown>): Promise<void> {
  try {
    await refund();
  } catch (error) {
    if (isSluiceError(error) && error.code === 'STORE_CLOSED') return;
    // Messages of other errors may contain personal data.
    const reason = isSluiceError(error) ? error.message : 'it is not an error of Sluice';
    warn('SLUICE_REFUND_FAILED', `rateLimit: a refund failed, so the request stays counted: ${reason}`);
  }
}

export function warnOfRefused(status: number): void {
  warn(
    'SLUICE_REFUND_REFUSED',
    `rateLimit: refundWhen refunds the status ${status} and not 200, so the request stays counted: a client brings ${status} about by a header, such as If-None-Match: *, and would have no limit. Leave ${CHOSEN_BY_HEADER.join(', ')} out of refundWhen`,
  );
}
