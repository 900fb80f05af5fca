export type { Applied, Conflict, FleetProcess, FleetState, Proposal, Version } from './fleet/fleet-state.js';
export { redisPolicies, type RedisPolicies, type RedisPoliciesOptions } from './fleet/redis-policies.js';
export { openPolicies, type PoliciesOptions } from './open-policies.js';
export type { OverrideValue, Policies, PoliciesStatus } from './policies.js';
