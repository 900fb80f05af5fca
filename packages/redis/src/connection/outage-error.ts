import type { StoreError } from '@sluice/core/internal';
import { isRefusal } from './classify-error.js';

/** The error of a server that cannot be reached: one for each reason, because an error takes longer than a decision. */
export class OutageError {
  #reason: unknown;
  #error: StoreError | undefined;
  /** The reason lasts until an operator changes something. */
  isRefusal = false;

  /** @param makeError called if the reason differs from that of the last error */
  because(reason: unknown, makeError: () => StoreError): StoreError {
    if (this.#error === undefined || reason !== this.#reason) {
      this.#reason = reason;
      this.#error = makeError();
      this.isRefusal = isRefusal(this.#error);
    }
    return this.#error;
  }
}
