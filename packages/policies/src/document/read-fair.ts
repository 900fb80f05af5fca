import type { Fair, MaybePromise } from '@sluice/core';
import { isPromise, type OptionReader } from '@sluice/http/adapter';
import type { DocumentContext } from './document-context.js';
import { featureFor } from './policy-features.js';
import { readCaller } from './read-caller.js';

const OTHERWISE = 'otherwise';

/** A weight for each plan, and for all others. */
type WeightsByPlan = { readonly [plan: string]: number } & { readonly otherwise: number };

/**
 * How callers share a limit: `{ by: tenant, weight: { free: 1, pro: 3, otherwise: 1 } }`.
 *
 * @throws ConfigError
 */
export function readFair<S>(tier: OptionReader, context: DocumentContext<S>): Fair<S> {
  tier.one('fair', { is: isMap, words: 'a map: write fair: { by: tenant }' });
  const { fairBy } = featureFor(context.features ?? [], 'fair', (rule) => tier.fail('OPTION_INVALID', 'fair', rule));
  const fair = tier.within('fair', ['by', 'weight']);
  const by = readCaller(fair, context);
  if (!fair.has('weight')) return fairBy(by);
  const weights = fair.within('weight', Object.keys(Object(fair.value('weight')) as object));
  weights.one(OTHERWISE, { words: 'the weight of every other plan', required: true });
  for (const plan of Object.keys(fair.value('weight') as object)) {
    weights.one(plan, { integer: [1, 100], required: true });
  }
  const { plans, takesAnyName } = context;
  if (plans === undefined && !takesAnyName) {
    throw fair.fail('OPTION_INVALID', 'weight', 'has plans: give openPolicies the function plans, which names them');
  }
  return fairBy(by, { weight: weightByPlan(fair.value('weight') as WeightsByPlan, plans ?? (() => undefined)) });
}

function isMap(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function weightByPlan<S>(weights: WeightsByPlan, planOf: NonNullable<DocumentContext<S>['plans']>) {
  const weightOf = (plan: unknown): number =>
    typeof plan === 'string' && Object.hasOwn(weights, plan) ? weights[plan]! : weights.otherwise;
  const weight = (subject: S): MaybePromise<number> => {
    const plan = planOf(subject, weight);
    return isPromise(plan) ? plan.then(weightOf) : weightOf(plan);
  };
  return weight;
}
