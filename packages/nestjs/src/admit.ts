import type { Admission, Denial, Gate, GateResponse, HttpRequest, MaybePromise } from '@sluice/core';

import { rememberDecision } from './rate-limit-decision.js';
import { RateLimitException } from './rate-limit-exception.js';

/** Gates that a request has come to. */
const ASKED = Symbol.for('sluice.nestjs.asked');

/**
 * Takes a request through gates, one after the other. Rejects with RateLimitException at the first that denies. A guard
 * that stands twice counts once: a gate that the request has come to before is left out.
 */
export function admit(
  gates: readonly Gate<HttpRequest>[],
  request: HttpRequest & { [ASKED]?: Set<object> },
  response: GateResponse,
): MaybePromise<true> {
  const asked = (request[ASKED] ??= new Set());
  const passFrom = (index: number): MaybePromise<true> => {
    const gate = gates[index];
    if (!gate) return true;
    if (asked.has(gate)) return passFrom(index + 1);
    asked.add(gate);
    const answer = (admission: Admission): MaybePromise<true> => {
      if (admission.state === 'over') return never();
      if (admission.decision) rememberDecision(request, admission.decision);
      return admission.state === 'denied' ? deny(admission) : passFrom(index + 1);
    };
    const admission = gate.admit(request, response);
    return admission instanceof Promise ? admission.then(answer) : answer(admission);
  };
  return passFrom(0);
}

/** Nobody is left to be answered: the handler is not called, and no filter is bothered. Forgotten with the request. */
function never(): Promise<true> {
  return new Promise(() => {});
}

/** The media type belongs to the filter that writes the body. */
async function deny(denial: Denial): Promise<never> {
  throw new RateLimitException(denial, await denial.body());
}
