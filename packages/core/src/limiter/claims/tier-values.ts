import type { FairValues } from '../tiers/fair.js';
import type { TierDefinition } from '../tiers/tier-definition.js';
import { callUserFunction } from './call-user-function.js';

/** What a tier asks for a subject: numbers of its definition, and results of its functions. */
export interface TierValues {
  readonly key: unknown;
  readonly limit: unknown;
  readonly cost: unknown;
  readonly record: unknown;
  readonly label: unknown;
  /** The first day of a period, where it depends on the subject. */
  readonly startsOn?: unknown;
  /** The caller and its weight, where callers share the limit: `FairValues`, or a promise of them. */
  readonly fair?: unknown;
}

/** The values of an operation that charges nothing, beside its key and limit. */
export const ONE_UNIT = { cost: 1, record: undefined, label: undefined };

/** The values of a tier that is off. */
const NOT_APPLIED: TierValues = { ...ONE_UNIT, key: undefined, limit: null };

/** Calls the functions of a tier. */
export function valuesOf<S>(tier: TierDefinition<S>, subject: S, cost: number): TierValues {
  if (tier.isOff) return NOT_APPLIED;
  const key = keyOf(tier, subject);
  const { owner, cost: own, record, label } = tier;
  const values = {
    key,
    limit: limitOf(tier, subject),
    cost: typeof own === 'function' ? callUserFunction(owner, 'cost', own, subject) : (own ?? cost),
    record: record && callUserFunction(owner, 'record', record, subject),
    label: label && callUserFunction(owner, 'label', label, subject),
  };
  return callersOf(tier, subject, withStart(tier, subject, values));
}

/** The same for an operation that needs only a key and a limit. */
export function unitsOf<S>(tier: TierDefinition<S>, subject: S, cost: number): TierValues {
  return withStart(tier, subject, { ...ONE_UNIT, key: keyOf(tier, subject), limit: limitOf(tier, subject), cost });
}

function withStart<S>({ owner, startsOn }: TierDefinition<S>, subject: S, values: TierValues): TierValues {
  if (startsOn === undefined) return values;
  return { ...values, startsOn: callUserFunction(owner, 'startsOn', startsOn, subject) };
}

/** The same values, with the caller where callers share the limit. */
export function callersOf<S>({ owner, fair }: TierDefinition<S>, subject: S, values: TierValues): TierValues {
  if (fair === undefined) return values;
  const called: FairValues = [
    callUserFunction(owner, 'fair.by', fair.by, subject),
    fair.weight && callUserFunction(owner, 'fair.weight', fair.weight, subject),
  ];
  return { ...values, fair: called.some((each) => each instanceof Promise) ? Promise.all(called) : called };
}

export function keyOf<S>(tier: TierDefinition<S>, subject: S): unknown {
  return callUserFunction(tier.owner, 'key', tier.key, subject);
}

export function limitOf<S>(tier: TierDefinition<S>, subject: S): unknown {
  const { owner, limit, policy } = tier;
  return typeof limit === 'function' ? callUserFunction(owner, 'limit', limit, subject) : policy.limit;
}

export function hasPromise({ key, limit, cost, record, label, startsOn, fair }: TierValues): boolean {
  if (key instanceof Promise || limit instanceof Promise || cost instanceof Promise) return true;
  if (record instanceof Promise || label instanceof Promise) return true;
  return startsOn instanceof Promise || fair instanceof Promise;
}

export async function settled(values: TierValues): Promise<TierValues> {
  const { key, limit, cost, record, label, startsOn, fair } = values;
  const all = await Promise.all([key, limit, cost, record, label, startsOn, fair]);
  return { key: all[0], limit: all[1], cost: all[2], record: all[3], label: all[4], startsOn: all[5], fair: all[6] };
}
