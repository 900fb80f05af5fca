import type { MaybePromise } from '@sluice/core';

/** The plan of a subject, for a limit or a weight: each asks once a request. */
export type PlanOf<S> = (subject: S, asker: object) => MaybePromise<string | undefined>;

/**
 * Asks the application once for all tiers of a request, because it may read a database. The functions of a request are called
 * one after the other, so that a limit that asks again does it for another request, as does all that asks later.
 */
export function planOfRequest<S>(plans: (subject: S) => MaybePromise<string | undefined>): PlanOf<S> {
  let request: { readonly subject: S; readonly plan: MaybePromise<string | undefined> } | undefined;
  const askers = new Set<object>();
  return (subject, asker) => {
    if (request?.subject === subject && !askers.has(asker)) {
      askers.add(asker);
      return request.plan;
    }
    askers.clear();
    const own = { subject, plan: plans(subject) };
    request = own;
    askers.add(asker);
    queueMicrotask(() => {
      if (request === own) request = undefined;
    });
    return own.plan;
  };
}
