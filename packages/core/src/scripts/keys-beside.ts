import { isCounted } from '../algorithms/counting.js';
import type { Policy } from '../model/policy.js';

/** Keys of a group that are those of its usage. */
export function usageKeysOf(policies: readonly Policy[]): number {
  return policies.filter(isCounted).length;
}

/** Once a call: the hour as text, which Redis 7.0 takes sooner than a number, and how many keys are those of claims. */
export function beginUsage(policies: readonly Policy[]): string {
  const { length } = policies;
  return `
local hour, claims = ('%.0f'):format(this_hour), #KEYS / ${length + usageKeysOf(policies)} * ${length}`;
}

/**
 * Counts what was charged. The charge has written already, so that only a key of another program can refuse it.
 *
 * @param place of the policy in its group
 */
export function countUsage(policies: readonly Policy[], place: number): string {
  const before = usageKeysOf(policies.slice(0, place));
  const group =
    policies.length === 1 ? 'first' : `(first - 1) / ${policies.length} * ${usageKeysOf(policies)} + ${before + 1}`;
  return `
if charged > 0 then
  local place = ${group}
  local usage = KEYS[claims + place]
  if pcall('HINCRBY', usage, hour, charged == count and (units or '1') or charged) == charged then begin_hour(usage, hour) end
  name_usage(usage, labels[place])
end`;
}
