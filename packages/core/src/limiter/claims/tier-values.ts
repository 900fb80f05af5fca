import { isPromise } from '../../async/deferred.js';
import type { TierDefinition } from '../tiers/tier-definition.js';
import { callUserFunction } from '../tiers/call-user-function.js';

/** What a tier asks for a subject: numbers of its definition, and results of its functions. */
export interface TierValues {
  readonly key: unknown;
  readonly limit: unknown;
  readonly cost: unknown;
  readonly record: unknown;
  readonly label: unknown;
  /** Results of the option that depends on the subject, if the algorithm has one: the first day of a period, or a caller. */
  readonly own?: unknown;
  /** The result of what the value of an option asks. */
  readonly asked?: unknown;
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
  return withAsked(tier, subject, withOwn(tier, subject, values));
}

/** The same for an operation that needs only a key and a limit. */
export function unitsOf<S>(tier: TierDefinition<S>, subject: S, cost: number): TierValues {
  const values = { ...ONE_UNIT, key: keyOf(tier, subject), limit: limitOf(tier, subject), cost };
  return tier.own?.isOfRequest === true ? values : withOwn(tier, subject, values);
}

/** The same values, with what tells requests of one key apart. */
export function ofRequest<S>(tier: TierDefinition<S>, subject: S, values: TierValues): TierValues {
  return tier.own?.isOfRequest === true ? withOwn(tier, subject, values) : values;
}

/** The same values, with that of the option that depends on the subject. */
function withOwn<S>({ own }: TierDefinition<S>, subject: S, values: TierValues): TierValues {
  return own === undefined ? values : { ...values, own: own.call(subject) };
}

function withAsked<S>({ asking, owner }: TierDefinition<S>, subject: S, values: TierValues): TierValues {
  if (asking === undefined) return values;
  // Null, because a function that returns nothing was asked, too.
  const result = callUserFunction(owner, asking.name, asking.call as (subject: S) => unknown, subject);
  return { ...values, asked: isPromise(result) ? result.then((each) => each ?? null) : (result ?? null) };
}

export function keyOf<S>(tier: TierDefinition<S>, subject: S): unknown {
  return callUserFunction(tier.owner, 'key', tier.key, subject);
}

export function limitOf<S>(tier: TierDefinition<S>, subject: S): unknown {
  const { owner, limit, policy } = tier;
  return typeof limit === 'function' ? callUserFunction(owner, 'limit', limit, subject) : policy.limit;
}

export function hasPromise({ key, limit, cost, record, label, own, asked }: TierValues): boolean {
  if (key instanceof Promise || limit instanceof Promise || cost instanceof Promise) return true;
  return record instanceof Promise || label instanceof Promise || own instanceof Promise || asked instanceof Promise;
}

export async function settled(values: TierValues): Promise<TierValues> {
  const { key, limit, cost, record, label, own, asked } = values;
  const all = await Promise.all([key, limit, cost, record, label, own, asked]);
  return { key: all[0], limit: all[1], cost: all[2], record: all[3], label: all[4], own: all[5], asked: all[6] };
}
