import type { Policy } from './policy.js';

/** The proof of a charge, by which it can be refunded or undone. */
export interface Receipt {
  readonly tier: string;
  readonly key: string;
  readonly policy: Policy;
  /** Units charged. */
  readonly units: number;
  /** When they were charged, in the policy's ticks. */
  readonly at: number;
  /** When the budget would have been full again, in the policy's ticks. */
  readonly until: number;
  /** The name of the units in the store, where they come back when their request ends. */
  readonly name?: string;
  /** The units that the name was given to. `units` are the last of them. */
  readonly of?: number;
  /** Set if this process charged them during an outage. They are refunded there. */
  readonly source?: 'local';
  /** What gives the charge back needs: the strikes that the request found, the marks that it has told, or the grants it was paid by. */
  readonly before?: number;
  /** Set if the request is undone. */
  readonly undone?: true;
}

/** True for units that come back when their request ends. */
export function endsWithRequest({ name }: Receipt): boolean {
  return name !== undefined;
}

/**
 * The same receipts for an undo: `Store.refund` takes them back as if their request had never been sent. So an undo forgives
 * no strikes of other requests, as a refund may.
 */
export function undoOf(receipts: readonly Receipt[]): readonly Receipt[] {
  return receipts.map((receipt) => ({ ...receipt, undone: true }));
}
