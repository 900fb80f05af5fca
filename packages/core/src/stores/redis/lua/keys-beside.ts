import type { Policy } from '../../../model/policy.js';

/** Keys of a group that are beside those of its claims. */
export function besideOf(policies: readonly Policy[]): number {
  return policies.reduce((sum, { beside = [] }) => sum + beside.length, 0);
}

/** The same without those of usage, which counted-claims.lua has taken off. */
export function reportedOf(policies: readonly Policy[]): number {
  return policies.filter(({ beside = [] }) => beside.includes('reported')).length;
}

/** The hour as text, once a call. */
export const HOUR_FIELD = "\nlocal $hour = ('%.0f'):format(this_hour)";

export function countIn(usageKey: string): string {
  return `\nif charged > 0 then count_usage_in(${usageKey}, $hour, charged == count and (units or '1') or charged) end`;
}

/** The key of the usage of a place: those of all groups are the last ones. */
export function usageKeyOf(policies: readonly Policy[], place: number): string {
  const { length } = policies;
  const counted = policies.flatMap(({ usage }, each) => (usage ? [each] : []));
  const others = length + reportedOf(policies);
  const groups = `#KEYS / ${others + counted.length}`;
  return `KEYS[${groups} * ${others} + (first - 1) / ${length} * ${counted.length} + ${counted.indexOf(place) + 1}]`;
}
