import { type CallTrace, channels, type ConsumeTrace, type LateReplyEvent, traces } from '@sluice/core/internal';

export type CallOutcome = 'answered' | 'failed' | 'late';

/** What listeners and traces are told about a call. */
interface ReportedCall {
  readonly request: {
    /** Read if `sluice:call` has a listener. @default none */
    readonly consumes?: readonly ConsumeTrace[];
    readonly groups: number;
  };
  /** In milliseconds of `performance.now()`. */
  readonly sentAt: number;
  /** Its name is `host:port` of a node of a Cluster. */
  readonly endpoint: { readonly name: string | undefined };
}

/** How a call has ended. */
interface CallEnd {
  readonly outcome: CallOutcome;
  readonly problem: string | undefined;
}

/** Sends a call within its trace. @param onTrace is called before */
export function sendTraced(call: ReportedCall, send: () => void, onTrace: (trace: CallTrace) => void): void {
  const { consumes = [], groups } = call.request;
  const { name } = call.endpoint;
  const trace: CallTrace = { consumes, groups, send };
  if (name !== undefined) trace.primary = name;
  onTrace(trace);
  traces.call.start.publish(trace);
  trace.send();
  traces.call.end.publish(trace);
}

export function reportEnd(call: ReportedCall, trace: CallTrace | undefined, { outcome, problem }: CallEnd): void {
  if (trace !== undefined) endTrace(trace, outcome, problem);
  if (!channels.storeCall.hasSubscribers) return;
  channels.storeCall.publish({ ...eventOf(call), outcome, ...(problem !== undefined && { problem }) });
}

/** A reply came after the end of the call. */
export function reportLate(call: ReportedCall): void {
  channels.lateReply.publish(eventOf(call));
}

function eventOf({ request: { groups }, sentAt, endpoint: { name } }: ReportedCall): LateReplyEvent {
  return { duration: performance.now() - sentAt, groups, ...(name !== undefined && { primary: name }) };
}

function endTrace(trace: CallTrace, outcome: CallOutcome, problem?: string): void {
  const { error, asyncStart, asyncEnd } = traces.call;
  trace.outcome = outcome;
  if (problem !== undefined) trace.problem = problem;
  if (outcome !== 'answered') error.publish(trace);
  asyncStart.publish(trace);
  asyncEnd.publish(trace);
}
