// between-processes/ is the entry for what stores add that several processes share: leases, and the wishes of waiting
// requests. It changes without notice, so programs import the other entries, and names leave it for the Redis store and
// fair shares. It imports algorithms and stores, and no room imports it.
export { heldBy } from '../algorithms/concurrency/wishes/shares.js';
export { waitingConcurrency } from '../algorithms/concurrency/wishes/waiting-concurrency.js';
export { addSharedStores } from '../stores/composed/shared-stores.js';
