// What processes with requests in line leave each other. It is loaded only where processes share a store.
export { heldBy } from '../../algorithms/concurrency/wishes/shares.js';
export {
  tierPolicyOf,
  waitingConcurrency,
  waitingPolicy,
} from '../../algorithms/concurrency/wishes/waiting-concurrency.js';
