import { channels } from '../../../events/channels.js';
import { warn } from '../../../events/warning.js';
import type { StoreError } from '../../../model/errors.js';
import { warnOfEviction } from '../client/client-check.js';
import type { RunScript, ScriptCall } from '../client/run-script.js';
import { Call, type CallRequest } from './call.js';
import { ClusterEndpoints, type ClusterClient } from './cluster-endpoints.js';
import type { Deadline } from './deadline.js';
import { Endpoint } from './endpoint.js';
import { probeCall } from './probe.js';
import { classifyError, redactCommand, unreachable } from './redis-error.js';

/** A client that may know why it is not ready. */
export interface ObservedClient extends ClusterClient {
  readonly lastError?: Error | undefined;
}

interface ConnectionOptions {
  readonly run: RunScript;
  readonly deadline: Deadline<Call>;
  /** The script call that probes a server. The connection replaces its key. */
  readonly probe: ScriptCall;
}

/** Milliseconds before the same refusal is reported again. */
const REFUSAL_INTERVAL_MS = 60_000;

/**
 * Sends script calls: only to a ready client, only while the breaker is closed, each settled within the deadline. A call
 * is sent once, and a late reply is dropped.
 */
export class Connection {
  readonly deadline: Deadline<Call>;
  readonly isCluster: boolean;
  readonly #client: ObservedClient;
  readonly #probe: ScriptCall;
  readonly #run: RunScript;
  readonly #endpoint: Endpoint;
  readonly #cluster: ClusterEndpoints | undefined;
  #checksInFlight = 0;
  #hasAnswered = false;
  readonly #refusalReportedAt = new Map<string, number>();

  constructor(client: ObservedClient, { run, deadline, probe }: ConnectionOptions) {
    this.#client = client;
    this.deadline = deadline;
    this.#probe = probe;
    this.#run = run;
    const resetConnection = client.resetConnection && (() => client.resetConnection!());
    this.#endpoint = new Endpoint(client, { resetConnection });
    this.isCluster = client.isCluster === true;
    this.#cluster = this.isCluster ? new ClusterEndpoints(client) : undefined;
  }

  /** Checks that wait for an answer. */
  inFlight(): number {
    return this.#checksInFlight;
  }

  /** @param now milliseconds of `performance.now()` */
  send(request: CallRequest, now: number): void {
    if (now >= request.requestedAt + this.deadline.milliseconds) {
      request.reject(unreachable('the process was busy for longer than the deadline'));
      return;
    }
    const [key] = request.keys;
    const endpoint = this.#endpointOf(key);
    const readiness = endpoint.ensureReady();
    if (readiness === 'down') {
      request.reject(this.#notReady(endpoint));
      return;
    }
    const admitted = endpoint.breaker.admit(now);
    // A call without a key has no slot for a probe next to it, and is the probe itself.
    if (admitted === 'call' || (admitted === 'probe' && key === undefined)) {
      const call = this.#start(request, endpoint, admitted);
      if (readiness === 'ready') call.send();
      else endpoint.wait({ onReady: () => call.send(), onLost: () => call.abandon(this.#notReady(endpoint)) });
      return;
    }
    // No request waits for a server that may be down, not even for the probe.
    if (admitted === 'probe') this.#start(probeCall(this.#probe, key!, now), endpoint, admitted).send();
    request.reject(unreachable('circuit breaker open'));
  }

  /** Resolves when all calls that were sent until now are settled. */
  async idle(): Promise<void> {
    await Promise.all(this.deadline.pending().map((call) => call.ended()));
  }

  #endpointOf(key: string | undefined): Endpoint {
    return (key !== undefined && this.#cluster?.of(key)) || this.#endpoint;
  }

  #start(request: CallRequest, endpoint: Endpoint, admitted: 'call' | 'probe'): Call {
    const { milliseconds: deadline } = this.deadline;
    const call = new Call({ request, endpoint, admitted, run: this.#run, deadline, onSettled: this.#onSettled });
    this.#checksInFlight += call.groups;
    this.deadline.watch(call);
    return call;
  }

  readonly #onSettled = (call: Call): void => {
    this.#checksInFlight -= call.groups;
    this.deadline.settle();
    if (call.outcome === 'answered' && !this.#hasAnswered) {
      this.#hasAnswered = true;
      void warnOfEviction(this.#run);
    }
    if (call.error) this.#reportRefusal(call.error);
  };

  #notReady(endpoint: Endpoint): StoreError {
    const { lastError } = this.#client;
    if (lastError === undefined) return unreachable(`the client is not ready, its status is ${endpoint.status}`);
    const cause = redactCommand(lastError);
    this.#reportRefusal(cause);
    return unreachable(cause.message, cause);
  }

  /** Reports an error that lasts until an operator changes something. */
  #reportRefusal(error: Error): void {
    if (classifyError(error) !== 'configuration') return;
    const { message } = error;
    const now = performance.now();
    if (now - (this.#refusalReportedAt.get(message) ?? -Infinity) < REFUSAL_INTERVAL_MS) return;
    this.#refusalReportedAt.set(message, now);
    warn(
      'SLUICE_REDIS_REFUSES',
      `redisStore: Redis refuses requests until its configuration or yours changes: ${message}`,
    );
    if (channels.configFault.hasSubscribers) channels.configFault.publish({ problem: message });
  }
}
