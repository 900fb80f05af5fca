// between-processes/ is the entry for what stores add that several processes share: leases, and the wishes of waiting
// requests. It changes without notice, so programs import the other entries, and names leave it for the Redis store and
// fair shares. It imports algorithms and stores, and no room imports it.
export { sharedLayers } from '../stores/between-processes/shared-layers.js';
export { heldBy, waitingConcurrency } from '../stores/with-permits/wishes.js';
