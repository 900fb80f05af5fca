import { chain, type Decision, isPromise, type MaybePromise } from '@sluice/core/internal';
import type { Admission } from './admission.js';
import { hasLeft } from './has-left.js';
import { refundQuietly } from './refund-quietly.js';
import { SHED, type Shedding, type ShedVisit } from './shedding.js';
import type { Visit } from '../visits/visit.js';

const ENDED: Admission = { state: 'ended' };

/** What a gate does with a request before its limiter counts it. */
export type Step = (visit: Visit) => MaybePromise<Admission>;

interface Around {
  /** Counts the request. */
  readonly next: Step;
  /** Answers with a decision of the shedder. */
  readonly refuse: (visit: Visit, refusal: Decision) => MaybePromise<Admission>;
  readonly refund: (decision: Decision) => Promise<unknown>;
}

/**
 * Asks a shedder before a request is counted, unless an earlier gate has done so, and again after tiers have demoted it. A
 * refused request is not charged.
 */
export function unlessShed<S>(shed: Shedding<S>, { next, refuse, refund }: Around): Step {
  const refusalOf = (visit: Visit, demotedBy?: readonly string[]) =>
    shed[SHED](visit as Visit & ShedVisit<S>, demotedBy);
  const unlessDemoted = (visit: Visit, admission: Admission): MaybePromise<Admission> => {
    const { decision } = admission as { readonly decision?: Decision };
    if (admission.state !== 'admitted' || decision?.demotedBy === undefined) return admission;
    return chain(refusalOf(visit, decision.demotedBy), (refusal) =>
      refusal === undefined ? admission : refundQuietly(() => refund(decision)).then(() => refuse(visit, refusal)),
    );
  };
  const counted = (visit: Visit) => chain(next(visit), (admission) => unlessDemoted(visit, admission));
  const follow = (visit: Visit, refusal: Decision | undefined) =>
    refusal === undefined ? counted(visit) : refuse(visit, refusal);
  return (visit) => {
    if (hasPassed(visit, shed)) return counted(visit);
    const refusal = refusalOf(visit);
    if (!isPromise(refusal)) return follow(visit, refusal);
    // Work for a client that has left while its request was held would be charged to it, and be for nobody.
    return chain(refusal, (settled) => (hasLeft(visit) ? ENDED : follow(visit, settled)));
  };
}

/** True for a request that an earlier gate with the same shedder has let through. */
function hasPassed({ earlier }: Visit, shed: object): boolean {
  for (let each = earlier; each !== undefined; each = each.earlier) if (each.gate.shed === shed) return true;
  return false;
}
