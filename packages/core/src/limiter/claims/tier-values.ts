import type { TierDefinition } from '../tiers/tier-definition.js';
import { callUserFunction } from './call-user-function.js';

/** What a tier asks for a subject: numbers of its definition, and results of its functions. */
export interface TierValues {
  readonly key: unknown;
  readonly limit: unknown;
  readonly cost: unknown;
  readonly record: unknown;
  readonly label: unknown;
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
  return {
    key,
    limit: limitOf(tier, subject),
    cost: typeof own === 'function' ? callUserFunction(owner, 'cost', own, subject) : (own ?? cost),
    record: record && callUserFunction(owner, 'record', record, subject),
    label: label && callUserFunction(owner, 'label', label, subject),
  };
}

export function keyOf<S>(tier: TierDefinition<S>, subject: S): unknown {
  return callUserFunction(tier.owner, 'key', tier.key, subject);
}

export function limitOf<S>(tier: TierDefinition<S>, subject: S): unknown {
  const { owner, limit, policy } = tier;
  return typeof limit === 'function' ? callUserFunction(owner, 'limit', limit, subject) : policy.limit;
}

export function hasPromise({ key, limit, cost, record, label }: TierValues): boolean {
  if (key instanceof Promise || limit instanceof Promise || cost instanceof Promise) return true;
  return record instanceof Promise || label instanceof Promise;
}

export async function settled(values: TierValues): Promise<TierValues> {
  const { key, limit, cost, record, label } = values;
  const all = await Promise.all([key, limit, cost, record, label]);
  return { key: all[0], limit: all[1], cost: all[2], record: all[3], label: all[4] };
}
