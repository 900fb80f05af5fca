import { isPromise } from '../async/deferred.js';
import type { MaybePromise } from '../async/maybe-promise.js';
import { traces, type ConsumeTrace } from '../events/traces.js';
import type { Decision } from '../model/decision.js';
import { isSluiceError } from '../model/errors.js';

/** Publishes the start of a `consume`. It returns undefined if no listener follows it. */
export function startTrace(): ConsumeTrace | undefined {
  const trace: ConsumeTrace = { followed: false };
  traces.consume.start.publish(trace);
  return trace.followed ? trace : undefined;
}

/** Publishes the other events of a `consume`. A decision that was made without a promise is returned without a promise. */
export function endTrace(trace: ConsumeTrace, consumed: MaybePromise<Decision>): MaybePromise<Decision> {
  const { end, asyncStart, asyncEnd, error } = traces.consume;
  if (!isPromise(consumed)) {
    trace.decision = consumed;
    end.publish(trace);
    return consumed;
  }
  end.publish(trace);
  const settle = () => {
    asyncStart.publish(trace);
    asyncEnd.publish(trace);
  };
  return consumed.then(
    (decision) => {
      trace.decision = decision;
      settle();
      return decision;
    },
    (reason: unknown) => {
      if (isSluiceError(reason)) trace.code = reason.code;
      error.publish(trace);
      settle();
      throw reason;
    },
  );
}
