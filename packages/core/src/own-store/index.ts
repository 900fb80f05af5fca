// The entry point for stores of your own: docs/guide/own-store.md.
import { addSharedStores } from '../stores/composed/shared-stores.js';

addSharedStores();

export {
  consumeStates,
  creditState,
  peekStates,
  reconcileState,
  refundState,
  renewState,
  type GroupDecision,
  type StoredState,
} from './consume-states.js';
export type { Claim } from '../model/claim.js';
export type { Receipt } from '../model/receipt.js';
export type { Credit, Credited, Reconciliation } from '../model/credit.js';
export type { Answer, BalanceKey } from '../stores/store.js';
