import type { Claim } from '../../model/claim.js';
import type { Outcome } from '../../model/outcome.js';
import { isInStage } from '../tiers/stage.js';
import type { TierDefinition } from '../tiers/tier-definition.js';
import type { Policies } from '../tiers/tier-policies.js';
import type { ClaimSet } from './claim-set.js';
import { invalidResult } from './invalid-result.js';
import { digestIn, type StoreKeys } from './store-keys.js';
import type { TierValues } from './tier-values.js';
import { isZeroLimit, zeroLimitOutcome, zeroPolicyOf } from './zero-limit.js';

const MAX_TEXT_BYTES = 64;
const TEXT = new Uint8Array(MAX_TEXT_BYTES);
const ENCODER = new TextEncoder();
const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });

/** Tiers, and what makes the store keys of each. */
export interface KeyedTiers {
  readonly tiers: readonly TierDefinition<never>[];
  readonly keys: readonly Pick<StoreKeys, 'keyOf'>[];
}

/** The claims on tiers, by what they ask. A limit of null leaves its tier out. @throws UsageError for an invalid value */
export function claimSetOf(
  { tiers, keys }: KeyedTiers,
  values: readonly TierValues[],
  partition: string | undefined,
): ClaimSet {
  const applying: TierDefinition<never>[] = [];
  const claims: Claim[] = [];
  const zeroLimits: Outcome[] = [];
  const labels = new Map<string, string>();
  for (const [index, tier] of tiers.entries()) {
    const { key, limit, cost, record, label, own } = values[index]!;
    if (limit === null) continue;
    const units = wholeNumber(tier, 'cost', cost);
    const max = wholeNumber(tier, 'limit', limit);
    applying.push(tier);
    if (isZeroLimit(max, tier.policy)) {
      const isCovered = tiers.some(({ policy }) => policy.covers?.includes(tier.name));
      const isStaged = tier.stage !== undefined;
      const storeKey = isCovered || isStaged ? (keys[index]!.keyOf(key, partition) ?? refuseIdentity(tier, key)) : '';
      const shadow = isStaged ? isShadowed(tier, storeKey) : tier.shadow;
      if (isCovered) claims.push({ ...zeroLimitClaim(tier, storeKey, units), shadow });
      else zeroLimits.push(zeroLimitOutcome(tier, units, shadow));
    } else {
      const storeKey = keys[index]!.keyOf(key, partition) ?? refuseIdentity(tier, key);
      const numbers = {
        cost: units,
        policies: tier.policiesAt(max, own),
        record: shortText(tier, 'record', record),
      };
      const claim = claimOf(tier, storeKey, numbers);
      claims.push(tier.stage === undefined ? claim : { ...claim, shadow: isShadowed(tier, storeKey) });
    }
    const text = shortText(tier, 'label', label);
    if (text !== undefined) labels.set(tier.name, text);
  }
  return {
    tiers: applying,
    claims,
    zeroLimits: zeroLimits.length > 0 ? zeroLimits : undefined,
    labels: labels.size > 0 ? labels : undefined,
  };
}

/** A claim that never fits: only the store knows whether a balance pays in the place of a limit of 0. It stores nothing. */
function zeroLimitClaim(tier: TierDefinition<never>, key: string, cost: number): Claim {
  const policy = zeroPolicyOf(tier.policy);
  return claimOf(tier, `${key}:0`, {
    cost,
    policies: { policy, localPolicy: policy },
    record: undefined,
    slotHint: undefined,
  });
}

/** True for an identity outside of the stage of its tier. */
function isShadowed({ name, stage }: TierDefinition<never>, storeKey: string): boolean {
  return !isInStage(stage!, digestIn(storeKey, name));
}

interface ClaimNumbers extends Pick<Claim, 'cost' | 'record' | 'slotHint'> {
  readonly policies: Policies;
}

/** Built for each request: claims from a cache cost four cache misses of the processor, more than an allocation. */
export function claimOf(
  { name, takesAll, shadow, charge, lease, onStoreFailure }: TierDefinition<never>,
  key: string,
  { cost, policies: { policy, localPolicy }, record, slotHint }: ClaimNumbers,
): Claim {
  return {
    tier: name,
    key,
    slotHint,
    policy,
    cost: takesAll && cost > policy.capacity ? policy.capacity : cost,
    takesAll,
    shadow,
    charge,
    record,
    lease,
    onStoreFailure,
    localPolicy,
    // So that a claim that gets a name has the same shape: code that reads both shapes takes twice as long.
    name: undefined,
    trace: undefined,
  };
}

/** @throws UsageError for a value that is no identity */
export function storeKeyOf(tier: TierDefinition<never>, identity: unknown, partition: string | undefined): string {
  return tier.storeKeys.keyOf(identity, partition) ?? refuseIdentity(tier, identity);
}

/** @throws UsageError: a key function has returned what is no identity */
export function refuseIdentity({ owner }: TierDefinition<never>, identity: unknown): never {
  throw invalidResult(owner, 'key', 'a non-empty text, a whole number or an identity', identity);
}

function wholeNumber(tier: TierDefinition<never>, name: string, value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw invalidResult(tier.owner, name, `an integer of at least 0${name === 'limit' ? ', or null' : ''}`, value);
}

function shortText(tier: TierDefinition<never>, name: 'record' | 'label', text: unknown): string | undefined {
  if (text === undefined || text === '') return undefined;
  if (typeof text !== 'string') throw invalidResult(tier.owner, name, 'text or undefined', text);
  // `encodeInto` writes whole characters only. The decoded text holds no reference to the whole one, as a slice would.
  const { written } = ENCODER.encodeInto(text, TEXT);
  return DECODER.decode(TEXT.subarray(0, written));
}
