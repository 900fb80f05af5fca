import { chain } from '../../async/deferred.js';
import type { MaybePromise } from '../../async/maybe-promise.js';
import { isSluiceError } from '../../model/errors.js';
import type { HeldPermit, PermitReceipt } from './held-permits.js';
import type { Fact, FactKind, Facts } from './facts.js';
import type { PermitStore } from '../store.js';

/** A permit that has ended, and the calls about it that have had no answer. */
type EndedPermit = Pick<HeldPermit, 'receipt' | 'unanswered'>;

/** Permits that have ended, which a store must hear. */
export class Releases implements FactKind<PermitReceipt> {
  /** Without it the store only denies too much. */
  readonly isVital = false;
  /** A check or a renewal that arrives behind the end of its permit would block it for `hold`. */
  readonly isRepeated = true;
  readonly #target: PermitStore;
  readonly #outbox: Facts;

  constructor(target: PermitStore, outbox: Facts) {
    this.#target = target;
    this.#outbox = outbox;
  }

  /** Resolves when the store has answered or failed. @param endedAt when a permit has ended: its units lapse `hold` later */
  add(ended: readonly EndedPermit[], endedAt: number): MaybePromise<void> {
    const facts = ended.map((each) => this.#factOf(each, endedAt));
    return this.#outbox.tell(facts, () => this.#refund(ended.map(({ receipt }) => receipt)));
  }

  send(receipts: readonly PermitReceipt[]): MaybePromise<readonly unknown[]> {
    const { link } = this.#target;
    if (link === undefined) return this.#refund(receipts);
    return chain(link.releaseFirst(receipts), (results) => results.map(problemOf));
  }

  /** Gives them back in one call, which fails as a whole: no receipt has a problem of its own. */
  #refund(receipts: readonly PermitReceipt[]): MaybePromise<readonly unknown[]> {
    return chain(this.#target.refund(receipts), () => []);
  }

  #factOf({ receipt, unanswered }: EndedPermit, endedAt: number): Fact<PermitReceipt> {
    const { key, name, of, policy } = receipt;
    const until = endedAt + policy.hold;
    // A permit may end in parts, the last units first.
    return { key, name: `end of ${name} ${of}`, until, kind: this, about: receipt, isUncertain: unanswered > 0 };
  }
}

/** A key that holds other data holds no permit, so nothing is left to release. */
function problemOf(result: number | Error): Error | undefined {
  if (typeof result === 'number') return undefined;
  return isSluiceError(result) && result.code === 'STORE_KEY_UNREADABLE' ? undefined : result;
}
