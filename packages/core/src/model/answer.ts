import type { OnStoreFailure } from './claim.js';
import type { Source } from './decision.js';
import type { ReachedMark } from './notice.js';
import type { Outcome } from './outcome.js';
import type { Receipt } from './receipt.js';

/** What a store decided about the claims of one request. */
export interface Answer {
  /** One for each claim, in the order of the claims. */
  readonly outcomes: readonly Outcome[];
  /** One for each claim that was charged. */
  readonly receipts: readonly Receipt[];
  readonly source: Source;
  /**
   * When the request to the store was sent, in milliseconds of `performance.now()`. The deny cache remembers an answer
   * only if it has this.
   */
  readonly sentAt?: number;
  /** It is set when `onStoreFailure` decided instead of the store. The `outcomes` are then outcomes of local tiers. */
  readonly fallback?: OnStoreFailure;
  /** Set with `fallback` if the store is known to have changed nothing. */
  readonly untouched?: true;
  /**
   * The marks that counts have reached by these charges. Absent without one, and where the store has told them by `onReached` of
   * its check.
   */
  readonly reached?: readonly ReachedMark[];
  /** Calls back for each claim that was charged. @default the receipts say it */
  visitCharges?(visit: ChargeVisitor): void;
}

export type ChargeVisitor = (tier: string, units: number) => void;

/** The same answer with marks that charges before it have reached. A spread alone would lose receipts that are made when read. */
export function withReached(answer: Answer, reached: Answer['reached']): Answer {
  return reached === undefined ? answer : { ...answer, receipts: answer.receipts, reached };
}
