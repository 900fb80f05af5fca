// operations/ is the entry for tools of operators: the command line and the dashboard. Stored states and typed
// identities enter, and texts leave. It imports the files of the package.
export {
  algorithmNamed,
  algorithms,
  channels,
  coveredBy,
  digestIn,
  eventChannel,
  type Fact,
  IdentityDigest,
  isCounted,
  isInStage,
  isLine,
  KEY_LOSSES,
  KeyedIdentity,
  type KeyKind,
  type KeyLoss,
  keyShape,
  LINE,
  measure,
  type Measures,
  referencePage,
  stageOf,
  type Wire,
  wireOf,
} from '@sluice/core/internal';
export { keyKinds } from './key-kinds.js';
export { KeyTable, type KeyName } from './key-table.js';
export { mayForget } from './may-forget.js';
export { canonicalAddress, networkOf } from '@sluice/http/internal';
export { balanceText, type BalanceText } from '@sluice/quotas/internal';
export { decisionsOf } from './decisions-of.js';
export { FeaturesInUse } from '../features-in-use.js';
export { outcomeKind, type OutcomeKind } from '../outcome-kind.js';
export { RecentTop } from '../recent-top.js';
export { showMoment } from './show-moment.js';
export { showTime } from './show-time.js';
export { termsLines, waitingLine } from './terms-lines.js';
export { limitSource, tierStates, type TierState } from './tier-states.js';
export { parseIdentity, typedIdentity } from './typed-identity.js';
export { visitKeys } from './visit-keys.js';
