import type { FeatureValue } from '../../model/feature.js';
import type { Claim } from '../../model/claim.js';
import type { Policy } from '../../model/policy.js';
import { TIER_VALUES, type TierValueName } from '../../options/imported-value.js';
import type { ImportedValues } from './tier.js';

/** The value of an option that changes what decides: `usage()`. */
export interface PolicyValue extends FeatureValue {
  /** The policy in the place of that of the other options. A process that limits alone decides by theirs. */
  policyOf(policy: Policy): Policy;
  /** What it asks of the subject of each request. Undefined where it asks nothing. */
  readonly asking?: Asking | undefined;
}

/** What the value of an option asks of a subject. */
export interface Asking {
  /** Of the function, in messages. */
  readonly name: string;
  readonly call: (subject: never) => unknown;
  /** What a claim says to its feature. @param result of the function @throws UsageError */
  noteOf(result: unknown, claim: Claim, tier: AskingTier): unknown;
}

export interface AskingTier {
  /** The first words of messages. */
  readonly owner: string;
  /** The digest of an identity. */
  readonly digestOf: (text: string) => string;
}

/** Those of the options of a tier, which have been checked. */
export function policyValuesIn(options: ImportedValues<never>): readonly PolicyValue[] {
  return (Object.keys(TIER_VALUES) as TierValueName[]).flatMap(
    (name) => (options[name] as PolicyValue | undefined) ?? [],
  );
}
