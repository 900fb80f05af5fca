import type { Credit, Credited, Reconciliation } from '../model/credit.js';
import { facet } from './facet.js';

/** What balances do with units that no request spends. */
export interface Crediting<State = unknown> {
  /** Adds units, once for each id. Undefined where the state would hold too much. */
  credit(stored: State | undefined, credit: Credit, now: number): CreditedState<State> | undefined;
  /** Sets the units to those of a ledger, less what it does not know. */
  reconcile(stored: State | undefined, reconciliation: Reconciliation, now: number): State;
}

/** A state after a credit, and what the credit has done. */
export interface CreditedState<State> {
  readonly state: State;
  readonly credited: Credited;
}

export const crediting = facet<Crediting>('crediting');
