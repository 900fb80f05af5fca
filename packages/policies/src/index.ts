export type {
  Applied,
  Conflict,
  FleetOverride,
  FleetProcess,
  FleetState,
  Proposal,
  Version,
} from './fleet/fleet-state.js';
export { redisPolicies, type RedisPolicies, type RedisPoliciesOptions } from './fleet/redis-policies.js';
export type { PolicyFeature } from './document/policy-features.js';
export { openPolicies, type PoliciesOptions } from './open-policies.js';
export type { OverrideChoice, Policies, PoliciesStatus, PolicyOverrides } from './policies.js';
