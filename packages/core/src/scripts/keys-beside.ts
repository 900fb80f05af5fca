import { beside } from '../algorithms/beside.js';
import { isCounted } from '../algorithms/counting.js';
import type { Policy } from '../model/policy.js';

/** Keys of a group that are those of its usage. */
export function usageKeysOf(policies: readonly Policy[]): number {
  return policies.filter(isCounted).length;
}

/** Keys of a group that are those of numbers beside its states. They are between those of claims and those of usage. */
export function numberKeysOf(policies: readonly Policy[]): number {
  return policies.reduce((sum, policy) => sum + (beside.of(policy)?.keyCount ?? 0), 0);
}

/** Once a call: the hour as text, which Redis 7.0 takes sooner than a number, and how many keys are before those of usage. */
export function beginUsage(policies: readonly Policy[]): string {
  const before = policies.length + numberKeysOf(policies);
  return `
local hour, claims = ('%.0f'):format(this_hour), #KEYS / ${before + usageKeysOf(policies)} * ${before}`;
}

/** The index of the last key of a claim, while those of usage are there. */
export function lastKeyOf(policies: readonly Policy[]): string {
  const { length } = policies;
  const others = usageKeysOf(policies) + numberKeysOf(policies);
  return others === 0 ? '#KEYS' : `#KEYS / ${length + others} * ${length}`;
}

/** The index of the first key of the numbers beside a state. @param key the index of its own */
function numberKey(policies: readonly Policy[], key: string): string {
  return `claim_keys + (ceil((${key}) / ${policies.length}) - 1) * ${numberKeysOf(policies)} + 1`;
}

/** What the claim of a place says to its script, where that is its last key. */
export function keyNote(policies: readonly Policy[], place: number, key: string): string | undefined {
  const steps = beside.of(policies[place]!);
  return steps?.noted === 'key' ? `${numberKey(policies, key)} + ${steps.keyCount - 1}` : undefined;
}

/** True where the numbers beside a state may decide a request that the state admits. @param key the index of its own */
export function areKept(policies: readonly Policy[], keyAt: (place: number) => string): string {
  const kept = policies.flatMap((policy, place) => {
    if (beside.of(policy)?.noted === undefined) return [];
    const note = keyNote(policies, place, keyAt(place));
    const noted = note === undefined ? '' : `, KEYS[${note}]`;
    return [`call('EXISTS', number_key(${keyAt(place)})${noted}) > 0`];
  });
  return kept.join(' or ');
}

/** Finds the key of the numbers beside the state of a claim. */
export function findNumbers(policies: readonly Policy[]): string {
  if (numberKeysOf(policies) === 0) return '';
  return `
local claim_keys = ${lastKeyOf(policies)}
local function number_key(key) return KEYS[${numberKey(policies, 'key')}] end`;
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
