import { channels } from '../../../events/channels.js';
import type { LateReplyEvent } from '../../../events/events.js';
import { StoreError } from '../../../model/errors.js';
import type { RunScript, ScriptCall } from '../client/run-script.js';
import type { Expiring } from './deadline.js';
import type { Endpoint } from './endpoint.js';
import { classifyError, isReply, redactCommand, toStoreError } from './redis-error.js';

/** A script call to send, and the callbacks of its sender. One of them is called, once. */
export interface CallRequest extends ScriptCall {
  /** Requests whose checks are in this call; 0 for a call without checks. */
  readonly groups: number;
  /** When the first check was requested, in milliseconds of `performance.now()`. */
  readonly requestedAt: number;
  resolve(reply: unknown): void;
  reject(error: StoreError): void;
}

interface CallOptions {
  readonly request: CallRequest;
  readonly endpoint: Endpoint;
  readonly admitted: 'call' | 'probe';
  readonly run: RunScript;
  /** In milliseconds. */
  readonly deadline: number;
  /** Called once, before the request gets its reply or error. */
  readonly onSettled: (call: Call) => void;
}

/** A call in flight. It settles once: by the reply, by an error, or by the deadline. */
export class Call implements Expiring {
  readonly dueAt: number;
  readonly groups: number;
  /** Undefined until the call settles. `unsent`: the server did not become ready. */
  outcome: 'answered' | 'failed' | 'late' | 'unsent' | undefined;
  /** The error of a call that failed. */
  error: Error | undefined;
  readonly #options: CallOptions;
  #isSent = false;
  #ended: Promise<void> | undefined;
  #onEnded: (() => void) | undefined;

  constructor(options: CallOptions) {
    const { request, deadline } = options;
    this.#options = options;
    this.groups = request.groups;
    this.dueAt = request.requestedAt + deadline;
  }

  get isSettled(): boolean {
    return this.outcome !== undefined;
  }

  /** Resolves when the call is settled. */
  ended(): Promise<void> {
    this.#ended ??= new Promise((resolve) => (this.#onEnded = resolve));
    return this.#ended;
  }

  send(): void {
    if (!this.isSettled) this.#run('sha');
  }

  /** Rejects a call that was not sent. */
  abandon(error: StoreError): void {
    if (this.isSettled) return;
    this.#settle('unsent');
    this.#options.request.reject(error);
  }

  expire(): void {
    const { request, endpoint, admitted, deadline } = this.#options;
    if (!this.#isSent) {
      endpoint.stopWaiting();
      this.abandon(timeout(`no connection within ${deadline} ms`));
      return;
    }
    const problem = `no reply within ${deadline} ms`;
    endpoint.breaker.record(admitted, performance.now(), problem);
    endpoint.noteTimeout(request.requestedAt);
    this.#settle('late', problem);
    request.reject(timeout(problem));
  }

  #run(by: 'sha' | 'source'): void {
    this.#isSent = true;
    const onError = (reason: unknown) => this.#onError(redactCommand(reason), by);
    try {
      this.#options.run(this.#options.request, by).then((reply) => this.#onReply(reply), onError);
    } catch (error) {
      // A client other than ioredis may throw.
      onError(error);
    }
  }

  #onReply(reply: unknown): void {
    const { request, endpoint, admitted } = this.#options;
    endpoint.noteReply();
    if (this.isSettled) {
      this.#reportLateReply();
      return;
    }
    endpoint.breaker.record(admitted, performance.now());
    this.#settle('answered');
    try {
      request.resolve(reply);
    } catch (error) {
      // A client may have changed the reply.
      request.reject(toStoreError(error));
    }
  }

  #onError(error: Error, by: 'sha' | 'source'): void {
    const { request, endpoint, admitted } = this.#options;
    if (isReply(error)) endpoint.noteReply();
    if (this.isSettled) {
      if (isReply(error)) this.#reportLateReply();
      return;
    }
    // A server has no scripts after a restart, a flush or a failover. Nothing ran, so this cannot count twice.
    if (by === 'sha' && error.message.startsWith('NOSCRIPT') && performance.now() < this.dueAt) {
      this.#run('source');
      return;
    }
    const isOutage = classifyError(error) === 'infrastructure';
    // Any other error ends a probe successfully, because the server works. It is not evidence about other calls.
    if (isOutage) endpoint.breaker.record(admitted, performance.now(), error.message);
    else if (admitted === 'probe') endpoint.breaker.record(admitted, performance.now());
    this.error = error;
    this.#settle('failed', error.message);
    request.reject(toStoreError(error));
  }

  #settle(outcome: NonNullable<Call['outcome']>, problem?: string): void {
    this.outcome = outcome;
    this.#options.onSettled(this);
    this.#onEnded?.();
    if (outcome === 'unsent' || !channels.storeCall.hasSubscribers) return;
    channels.storeCall.publish({ ...this.#event(), outcome, ...(problem !== undefined && { problem }) });
  }

  #reportLateReply(): void {
    if (channels.lateReply.hasSubscribers) channels.lateReply.publish(this.#event());
  }

  #event(): LateReplyEvent {
    const { request, endpoint } = this.#options;
    const duration = performance.now() - request.requestedAt;
    const { name } = endpoint;
    return { duration, groups: this.groups, ...(name !== undefined && { primary: name }) };
  }
}

function timeout(problem: string): StoreError {
  return new StoreError('STORE_UNAVAILABLE', `Redis could not answer: ${problem}`);
}
