import type { Policy } from '../../../model/policy.js';

/** Keys of a group that are those of its usage. */
export function usageKeysOf(policies: readonly Policy[]): number {
  return policies.filter(({ usage }) => usage).length;
}

/**
 * Once a call: the hour as text, which Redis 7.0 takes sooner than a number, and the place before the key of the usage of the
 * first group. The keys of the usage of all groups are the last ones.
 */
export function beginUsage(policies: readonly Policy[], place: number): string {
  const { length } = policies;
  const counted = usageKeysOf(policies);
  const before = policies.slice(0, place).filter(({ usage }) => usage).length;
  return `
local $hour, $usages = ('%.0f'):format(this_hour), #KEYS / ${length + counted} * ${length} + ${before + 1}`;
}

/** Counts what was charged. The charge has written already, so that only a key of another program can refuse it. */
export function countUsage(policies: readonly Policy[]): string {
  const group = policies.length === 1 ? 'first - 1' : `(first - 1) / ${policies.length} * ${usageKeysOf(policies)}`;
  return `
if charged > 0 then
  local usage = KEYS[$usages + ${group}]
  if pcall('HINCRBY', usage, $hour, charged == count and (units or '1') or charged) == charged then begin_hour(usage) end
end`;
}
