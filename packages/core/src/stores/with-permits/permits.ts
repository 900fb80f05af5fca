// The permits of a request, for the entries and for what several processes share: they are the units of one algorithm.
export type { PermitPolicy, SharedLimit } from '../../algorithms/concurrency/permit-policy.js';
export { permitUnits, type Permits } from '../../algorithms/concurrency/permits.js';
