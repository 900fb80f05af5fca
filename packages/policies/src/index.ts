// @sluice/policies reads limits from a file or from Redis, and puts changes in force while the program runs. A document
// enters, and limiters leave. It imports @sluice/core and the packages whose features a document can name.
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
export { operatorPolicies, type OperatorPoliciesOptions } from './operator-policies.js';
export { auditLog, type ActChoice, type AuditLog } from './audit/audit-log.js';
export type { Act } from './audit/act.js';
export type {
  ActOptions,
  OverrideChoice,
  Policies,
  PoliciesStatus,
  PolicyOverrides,
  RemovalOptions,
} from './policies.js';
