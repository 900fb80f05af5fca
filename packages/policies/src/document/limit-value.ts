import type { MaybePromise } from '@sluice/core';
import { isPromise, show } from '@sluice/http/adapter';
import type { DocumentContext } from './document-context.js';

/** A limit as a file has it: units, 0 for never, null for a tier that does not apply. */
export type Units = number | null;

/** A limit for each plan, and for all others. */
export type UnitsByPlan = { readonly [plan: string]: Units } & { readonly otherwise: Units };

const OTHERWISE = 'otherwise';
const NEVER = () => 0;
const NOT_APPLIED = () => null;

/**
 * What the option `limit` of a tier is in code.
 *
 * @param moves the tier counts in a way that another file may give another limit
 */
export function limitOf(units: number | null, moves: boolean): number | (() => Units) {
  if (units === null) return NOT_APPLIED;
  if (units === 0) return NEVER;
  return moves ? () => units : units;
}

/** The limit of a subject by its plan. A name that the file does not have gets `otherwise`, so that no plan is unlimited. */
export function limitByPlan<S>(
  units: UnitsByPlan,
  planOf: NonNullable<DocumentContext<S>['plans']>,
): (subject: S) => MaybePromise<Units> {
  const byPlan = new Map<unknown, Units>(Object.entries(units));
  byPlan.delete(OTHERWISE);
  const unitsOf = (plan: unknown): Units => (byPlan.has(plan) ? byPlan.get(plan)! : units.otherwise);
  const limit = (subject: S): MaybePromise<Units> => {
    const plan = planOf(subject, limit);
    return isPromise(plan) ? plan.then(unitsOf) : unitsOf(plan);
  };
  // Operators see what each plan has.
  return Object.assign(limit, { plans: units });
}

/** A limit in words, to compare two files. */
export function limitText(limit: unknown): string {
  if (limit === 0) return 'never';
  if (limit === null) return 'not applied';
  if (typeof limit !== 'object') return show(limit);
  const plans = Object.entries(limit).map(([plan, units]) => `${plan} ${limitText(units)}`);
  return plans.join(', ');
}
