import { type CallTrace, channels, type ConsumeTrace, StoreError, traces } from '@sluice/core/internal';
import type { RunScript, ScriptCall } from '../client/run-script.js';
import { reportEnd, reportLate, sendTraced, type CallOutcome } from './call-report.js';
import type { Deadline, Expiring } from './deadline.js';
import type { Endpoint } from './endpoint.js';
import { classifyError, foreignReply, isReply, toServerError, toStoreError } from './classify-error.js';

/** A script call to send, and the callbacks of its sender. One of them is called, once. */
export interface CallRequest {
  /** The same call each time. */
  encode(): ScriptCall;
  /** Requests whose checks are in this call; 0 for a call without checks. */
  readonly groups: number;
  /** What `sluice:call` lists, read if that has a listener. @default none */
  readonly consumes?: readonly ConsumeTrace[];
  /** Reads a reply. It throws if the reply is not that of the script. */
  decode(reply: unknown): unknown;
  /** @param decoded what `decode` has returned */
  resolve(decoded: unknown): void;
  reject(error: StoreError): void;
  /** Takes a reply that comes after the deadline. @default it is ignored */
  late?(reply: unknown): void;
}

/** `aside`: no request waits for it, so the breaker does not count it. */
export type Admitted = 'call' | 'probe' | 'aside';

interface CallOptions {
  readonly request: CallRequest;
  readonly endpoint: Endpoint;
  readonly admitted: Admitted;
  readonly run: RunScript;
  /** In milliseconds of `performance.now()`. */
  readonly sentAt: number;
  readonly deadline: Deadline<Call>;
  readonly isCluster: boolean;
  /** Called once, before the request gets its reply or error. */
  readonly onSettled: (call: Call) => void;
}

/** A call in flight. It settles once: by the reply, by an error, or by the deadline. */
export class Call implements Expiring {
  /** It has its deadline once more if a busy process has read too late that the server lacks its script. */
  dueAt: number;
  readonly groups: number;
  readonly admitted: Admitted;
  readonly endpoint: Endpoint;
  isSettled = false;
  /** Undefined until the call settles. */
  outcome: CallOutcome | undefined;
  /** The error of a call that failed. */
  error: Error | undefined;
  readonly #options: CallOptions;
  /** Undefined unless `sluice:call` has a listener. */
  #trace: CallTrace | undefined;
  /** Sent once more because the server did not know its script. */
  #isRepeated = false;
  #ended: Promise<void> | undefined;
  #onEnded: (() => void) | undefined;

  constructor(options: CallOptions) {
    this.#options = options;
    this.groups = options.request.groups;
    this.admitted = options.admitted;
    this.endpoint = options.endpoint;
    this.dueAt = options.sentAt + options.deadline.milliseconds;
  }

  /** Resolves when the call is settled. */
  ended(): Promise<void> {
    this.#ended ??= new Promise((resolve) => (this.#onEnded = resolve));
    return this.#ended;
  }

  send(): void {
    if (!traces.call.start.hasSubscribers) this.#run();
    else
      sendTraced(
        this.#options,
        () => this.#run(),
        (trace) => (this.#trace = trace),
      );
  }

  expire(): void {
    const now = performance.now();
    const { endpoint, sentAt } = this.#options;
    endpoint.breaker.record(this.admitted, now, this.#lateness());
    // Checks may have been answered since the call was sent.
    endpoint.watch.noteTimeout(this.admitted === 'aside' ? now : sentAt);
    this.#rejectLate();
  }

  /** @param wanted @default as the request says */
  #run(wanted?: 'sha' | 'source'): void {
    const { request, run, isCluster } = this.#options;
    const call = request.encode();
    const { texts } = this.endpoint;
    // A server that lacks a script says so in a reply, which a busy process reads too late. A text always runs.
    const by = wanted ?? call.by ?? (texts.has(call.script.sha) ? 'sha' : 'source');
    const number = texts.note(call.script.sha, by);
    const onError = (reason: unknown) => this.#onError(toServerError(reason, isCluster), by, number);
    try {
      run(call, by).then((reply) => this.#onReply(reply), onError);
    } catch (error) {
      // A client other than ioredis may throw.
      onError(error);
    }
  }

  #onReply(reply: unknown): void {
    const { request, endpoint } = this.#options;
    if (this.isSettled) {
      endpoint.watch.noteReply();
      this.#late();
      request.late?.(reply);
      return;
    }
    let decoded: unknown;
    try {
      decoded = request.decode(reply);
    } catch {
      endpoint.watch.noteForeignReply();
      this.#onError(foreignReply(), 'source', 0);
      return;
    }
    endpoint.watch.noteAnswer();
    endpoint.breaker.record(this.admitted, performance.now());
    this.#settle('answered');
    request.resolve(decoded);
  }

  /** @param number of the command that failed */
  #onError(error: Error, by: 'sha' | 'source', number: number): void {
    const { request, endpoint } = this.#options;
    const { admitted } = this;
    if (isReply(error)) endpoint.watch.noteReply();
    if (this.isSettled) {
      if (isReply(error)) this.#late();
      return;
    }
    // A server has no scripts after a restart, a flush or a failover. Nothing ran, so this cannot count twice.
    if (by === 'sha' && error.message.startsWith('NOSCRIPT')) {
      // A busy process has read this too late, and the server works.
      const now = performance.now();
      if (now >= this.dueAt) {
        const { deadline } = this.#options;
        this.dueAt = now + deadline.milliseconds;
        deadline.extend(this);
      }
      this.#repeat(number);
      return;
    }
    endpoint.watch.noteRefusal(error);
    const isOutage = classifyError(error) === 'infrastructure';
    // Any other error ends a probe successfully, because the server works. It is not evidence about other calls.
    if (isOutage) endpoint.breaker.record(admitted, performance.now(), error.message);
    else if (admitted === 'probe') endpoint.breaker.record(admitted, performance.now());
    this.error = error;
    this.#settle('failed', error.message);
    request.reject(toStoreError(error));
  }

  /** Goes behind the text that another call has sent since, or takes it along. @param number of the command that failed */
  #repeat(number: number): void {
    const { sha } = this.#options.request.encode().script;
    const isBehind = !this.#isRepeated && this.endpoint.texts.isBehind(number, sha);
    this.#isRepeated = true;
    this.#run(isBehind ? 'sha' : 'source');
  }

  #late(): void {
    if (channels.lateReply.hasSubscribers) reportLate(this.#options);
  }

  #lateness(): string {
    return `no reply within ${this.#options.deadline.milliseconds} ms`;
  }

  #rejectLate(): void {
    const problem = this.#lateness();
    this.#settle('late', problem);
    this.#options.request.reject(new StoreError('STORE_UNAVAILABLE', `Redis could not answer: ${problem}`));
  }

  #settle(outcome: CallOutcome, problem?: string): void {
    this.isSettled = true;
    this.outcome = outcome;
    this.#options.onSettled(this);
    this.#onEnded?.();
    const isHeard = this.#trace !== undefined || channels.storeCall.hasSubscribers;
    if (isHeard) reportEnd(this.#options, this.#trace, { outcome, problem });
  }
}
