// The entry point for tools of operators: the command line and the dashboard.
export { wireOf, type Wire } from '../stores/redis/redis-store.js';
export { scripts } from '../stores/redis/lua/scripts.js';
export type { Script } from '../stores/redis/lua/script.js';
export { algorithms } from '../algorithms/algorithms.js';
export { keyShape } from '../limiter/claims/store-keys.js';
export { canonicalAddress, networkOf } from '../http/keys/address.js';
export { SharedIdentity } from '../limiter/claims/shared-identity.js';
