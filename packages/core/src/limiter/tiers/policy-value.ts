import { type FeatureValue, isFeatureValue } from '../../model/feature.js';
import type { Claim } from '../../model/claim.js';
import type { Policy } from '../../model/policy.js';

/** The value of an option that changes what decides: `line({ longest: '5m' })`. */
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

/** Those of the options of a tier. */
export function policyValuesIn(options: object): readonly PolicyValue[] {
  return (Object.values(options) as unknown[]).filter(isPolicyValue);
}

function isPolicyValue(value: unknown): value is PolicyValue {
  return isFeatureValue(value) && typeof (value as Partial<PolicyValue>).policyOf === 'function';
}
