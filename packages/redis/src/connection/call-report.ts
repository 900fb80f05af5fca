import { type CallTrace, channels, type ConsumeTrace, type LateReplyEvent, traces } from '@sluice/core/internal';

export type CallOutcome = 'answered' | 'failed' | 'late';

/** What listeners are told about the request of a call. */
interface ReportedRequest {
  /** Read if `sluice:call` has a listener. @default none */
  readonly consumes?: readonly ConsumeTrace[];
  readonly groups: number;
}

/** Tells listeners and traces how a call goes. */
export class CallReport {
  readonly #request: ReportedRequest;
  readonly #sentAt: number;
  readonly #primary: string | undefined;
  /** Undefined unless `sluice:call` has a listener. */
  #trace: CallTrace | undefined;

  /**
   * @param sentAt in milliseconds of `performance.now()`
   * @param primary `host:port` of a node of a Cluster
   */
  constructor(request: ReportedRequest, sentAt: number, primary: string | undefined) {
    this.#request = request;
    this.#sentAt = sentAt;
    this.#primary = primary;
  }

  /** @param send sends the call, within its trace */
  begin(send: () => void): void {
    if (!traces.call.start.hasSubscribers) return send();
    const { consumes = [], groups } = this.#request;
    const trace: CallTrace = { consumes, groups, send };
    if (this.#primary !== undefined) trace.primary = this.#primary;
    this.#trace = trace;
    traces.call.start.publish(trace);
    trace.send();
    traces.call.end.publish(trace);
  }

  end(outcome: CallOutcome, problem?: string): void {
    if (this.#trace) endTrace(this.#trace, outcome, problem);
    if (!channels.storeCall.hasSubscribers) return;
    channels.storeCall.publish({ ...this.#event(), outcome, ...(problem !== undefined && { problem }) });
  }

  /** A reply came after the end of the call. */
  late(): void {
    if (channels.lateReply.hasSubscribers) channels.lateReply.publish(this.#event());
  }

  #event(): LateReplyEvent {
    const { groups } = this.#request;
    const duration = performance.now() - this.#sentAt;
    return { duration, groups, ...(this.#primary !== undefined && { primary: this.#primary }) };
  }
}

function endTrace(trace: CallTrace, outcome: CallOutcome, problem?: string): void {
  const { error, asyncStart, asyncEnd } = traces.call;
  trace.outcome = outcome;
  if (problem !== undefined) trace.problem = problem;
  if (outcome !== 'answered') error.publish(trace);
  asyncStart.publish(trace);
  asyncEnd.publish(trace);
}
