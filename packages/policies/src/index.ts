export { openPolicies, type PoliciesOptions } from './open-policies.js';
export type { Policies, PoliciesStatus } from './policies.js';
