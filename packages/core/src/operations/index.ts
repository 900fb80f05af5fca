// The entry point for tools of operators: the command line and the dashboard.
export { wireOf, type Wire } from '../stores/wires.js';
export { algorithms } from '../algorithms/algorithms.js';
export { channels } from '../events/channels.js';
export { digestIn, keyShape } from '../limiter/claims/store-keys.js';
export { isInStage, stageOf } from '../limiter/tiers/stage.js';
export { canonicalAddress, networkOf } from '../lists/address.js';
export { IdentityDigest } from '../model/identity-digest.js';
export { decisionsOf } from './decisions-of.js';
export { referencePage } from '../model/reference-page.js';
export { outcomeKind, type OutcomeKind } from '../metrics/outcome-kind.js';
export { RecentTop } from '../metrics/recent-top.js';
export { showMoment } from './show-moment.js';
export { showTime } from './show-time.js';
export { termsLines } from './terms-lines.js';
export { limitSource, tierStates, type TierState } from './tier-states.js';
export { parseIdentity, typedIdentity } from './typed-identity.js';
export { visitKeys } from './visit-keys.js';
export { KeyedIdentity } from '../limiter/claims/keyed-identity.js';
