import { StoreViews } from '@sluice/core/internal';

/** A list of addresses as metrics show it. */
export interface ListView {
  readonly name: string;
  /** Networks on the list in this process. */
  readonly entries: number;
  /** Milliseconds since a refresh was due that has not succeeded. 0: the list is current. */
  readonly overdue: number;
  /** Refreshes that have failed. */
  readonly failures: number;
  /** How often its store has lost changes. */
  readonly losses: number;
}

/** The lists of addresses that a store has for this process. */
export const listViews = /* @__PURE__ */ new StoreViews<ListView>('list-views');
