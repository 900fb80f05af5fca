import { isSluiceError, warn } from '@sluice/core/internal';

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
