import type { AppointedProblem } from './appointment.js';
import type { Outcome } from './outcome.js';
import type { Policy } from './policy.js';

/** How the body of a denial tells what a client has to know of it: the facet `reporting` of features. */
export interface Reporting {
  /** Undefined for an outcome of which there is no more to tell than of others. */
  denialOf(outcome: Outcome): ToldDenial | undefined;
  /** A sentence behind the detail of a denial by other tiers. @param denying their outcomes */
  addedTo?(policy: Policy, outcome: Outcome, denying: readonly Outcome[]): string | undefined;
}

export interface ToldDenial {
  /** @param wait of the request, as text: `13 seconds`. Undefined where no time helps */
  detail(wait: string | undefined): string;
  /** Milliseconds, by the members of the problem that tell them as seconds. */
  readonly members?: { readonly [Name in keyof AppointedProblem]: number };
}

/** What a problem tells of an outcome that binds a denial. Undefined for most policies. */
export function toldOf({ algorithm }: Policy, outcome: Outcome): ToldDenial | undefined {
  return reportingOf(algorithm)?.denialOf(outcome);
}

/** What tiers that do not deny a request have to say of its denial. @param tiers of the request. @param denying outcomes of those that deny */
export function addedIn(tiers: readonly ReportedTier[], denying: readonly Outcome[]): readonly string[] {
  return tiers.flatMap(({ policy, outcome }) => {
    const added = reportingOf(policy.algorithm)?.addedTo?.(policy, outcome, denying);
    return added === undefined ? [] : [added];
  });
}

interface ReportedTier {
  readonly policy: Policy;
  readonly outcome: Outcome;
}

function reportingOf({ facets }: Policy['algorithm']): Reporting | undefined {
  return facets['reporting'] as Reporting | undefined;
}
