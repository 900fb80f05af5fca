import { type Claim, claimNotes } from '../../model/claim.js';
import { admitsNothing } from '../../model/policy.js';
import { isInStage } from '../tiers/stage.js';
import type { TierDefinition } from '../tiers/tier-definition.js';
import type { ClaimSet } from './claim-set.js';
import { invalidResult, refuseIdentity } from '../tiers/invalid-result.js';
import { claimOf } from './stated-claims.js';
import { digestIn, type StoreKeys } from '../keys/store-keys.js';
import type { TierValues } from './tier-values.js';

/** Stands for the identity of a request that a limit of 0 denies without one. */
const NOBODY = { kind: 'nobody', parts: ['0'] };

const MAX_TEXT_BYTES = 64;
const TEXT = new Uint8Array(MAX_TEXT_BYTES);
const ENCODER = new TextEncoder();
const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });

/** Tiers, and what makes the store keys of each. */
export interface KeyedTiers {
  readonly tiers: readonly TierDefinition<never>[];
  readonly keys: readonly Pick<StoreKeys, 'keyOf'>[];
}

/**
 * Makes the claims on tiers from what a request asks of them. A tier whose limit is null is left out.
 *
 * @throws UsageError for an invalid value
 */
export function claimSetOf(
  { tiers, keys }: KeyedTiers,
  values: readonly TierValues[],
  partition: string | undefined,
): ClaimSet {
  // Of its final length: an array that grows reserves room for 16 more.
  const claims = new Array<Claim>(tiers.length);
  let count = 0;
  /** Undefined while no tier is left out. */
  let applying: TierDefinition<never>[] | undefined;
  let labels: Map<string, string> | undefined;
  for (let index = 0; index < tiers.length; index += 1) {
    const tier = tiers[index]!;
    const { key, limit, cost, record, label, own, asked } = values[index]!;
    if (limit === null) {
      applying ??= tiers.slice(0, index);
      continue;
    }
    const numbers = {
      cost: wholeNumber(tier, 'cost', cost),
      policy: tier.policyAt(wholeNumber(tier, 'limit', limit), own),
      record: shortText(tier, 'record', record),
    };
    const mayBeNobody = admitsNothing(numbers.policy);
    const storeKey =
      keys[index]!.keyOf(key, partition) ??
      (mayBeNobody ? tier.storeKeys.keyOf(NOBODY, partition)! : refuseIdentity(tier, key));
    applying?.push(tier);
    const claimed = claimOf(tier, storeKey, numbers);
    const claim = tier.stage === undefined ? claimed : { ...claimed, shadow: isShadowed(tier, storeKey) };
    if (asked !== undefined) claimNotes.set(claim, tier.asking!.noteOf(asked, claim, tier));
    claims[count] = claim;
    count += 1;
    const text = shortText(tier, 'label', label);
    if (text !== undefined) (labels ??= new Map()).set(tier.name, text);
  }
  // V8 takes longer for this than for a claim.
  if (applying !== undefined) claims.length = count;
  return { tiers: applying ?? tiers, claims, labels };
}

/** True for an identity outside of the stage of its tier. */
function isShadowed({ name, stage }: TierDefinition<never>, storeKey: string): boolean {
  return !isInStage(stage!, digestIn(storeKey, name));
}

/** @throws UsageError for a value that is no identity */
export function storeKeyOf(tier: TierDefinition<never>, identity: unknown, partition: string | undefined): string {
  return tier.storeKeys.keyOf(identity, partition) ?? refuseIdentity(tier, identity);
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
