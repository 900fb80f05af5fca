// own-store/ is the entry for stores that applications write (docs/guide/own-store.md). States that such a store has
// read enter, and decided states leave. It imports model, algorithms and stores.
export {
  actState,
  consumeStates,
  peekStates,
  refundState,
  renewState,
  type GroupDecision,
  type StoredState,
} from './consume-states.js';
export type { Claim } from '../model/claim.js';
export type { Receipt } from '../model/receipt.js';
export type { ActValues, KeyAct } from '../model/key-act.js';
export { sharedLayers } from '../stores/between-processes/shared-layers.js';
export type { AbleStore, StateKey } from '../stores/store.js';
export type { Answer } from '../model/answer.js';
