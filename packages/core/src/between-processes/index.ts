// What stores that several processes share, and units that their requests wait for, add to @sluice/core. It changes without notice:
// programs import the other entries.
export { heldBy } from '../algorithms/concurrency/wishes/shares.js';
export { waitingConcurrency } from '../algorithms/concurrency/wishes/waiting-concurrency.js';
export { addSharedStores } from '../stores/composed/shared-stores.js';
