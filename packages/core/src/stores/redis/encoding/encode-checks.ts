import { MixedGroups } from './mixed-groups.js';
import type { Check, ScriptRequest } from './script-request.js';
import { UniformGroups } from './uniform-groups.js';
import { UnitChecks } from './unit-checks.js';

/** Encodes checks for one script call, in the shortest form that can say them. */
export function encodeChecks(checks: readonly Check[]): ScriptRequest {
  return UnitChecks.of(checks) ?? UniformGroups.of(checks) ?? new MixedGroups(checks);
}
