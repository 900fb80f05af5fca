import { warn } from '../../events/warning.js';
import { isSluiceError } from '../../model/errors.js';

/** Refunds when nobody is left to be told: a failure is a warning, and what was to be given back stays counted. */
export async function refundQuietly(refund: () => Promise<unknown>): Promise<void> {
  try {
    await refund();
  } catch (error) {
    // Nothing is left to be given back to.
    if (isSluiceError(error) && error.code === 'STORE_CLOSED') return;
    // What others say in their errors may tell who somebody is.
    const why = isSluiceError(error) ? error.message : 'of an error that is not ours';
    warn('SLUICE_REFUND_FAILED', `rateLimit: a refund has failed, and the request stays counted: ${why}`);
  }
}
