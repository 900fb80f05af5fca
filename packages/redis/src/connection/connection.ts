// connection/ sends script calls and bears outages: classify-error.ts decides what an error reply such as LOADING
// means (client/connect.ts while it connects), and call.ts and breaker.ts act on it. Script calls enter, and replies or a StoreError leave. It imports
// client.
import type { BreakerStats, StoreError } from '@sluice/core/internal';
import { databaseCheckOf } from '../client/database-check.js';
import { EvictionCheck } from '../client/eviction-check.js';
import type { RunScript, ScriptCall } from '../client/run-script.js';
import { Call, type Admitted, type CallRequest } from './call.js';
import { ClusterEndpoints, type ClusterClient } from './cluster-endpoints.js';
import { Deadline } from './deadline.js';
import { Endpoint } from './endpoint.js';
import { Listeners } from './listeners.js';
import { copyOf, isOpen, Outages } from './outages.js';
import { probeCall } from './probe.js';
import { isConfiguration, Refusals } from './refusals.js';

/** A client that may know why it is not ready. */
export interface ObservedClient extends ClusterClient {
  readonly lastError?: Error | undefined;
}

interface ConnectionOptions {
  readonly run: RunScript;
  readonly deadline: Deadline<Call>;
  /** The longest wait for the first connection, in milliseconds. */
  readonly connectDeadline: number;
  /** The script call that probes a server. The connection replaces its key. */
  readonly probe: ScriptCall;
}

/** How a call is sent. */
type Send = 'send' | 'sendAside' | 'sendAnyway';

/** Milliseconds for a call that no request waits for. */
const ASIDE_DEADLINE_MS = 5_000;

/**
 * Sends script calls: only to a ready client, only while the breaker is closed, each settled within the deadline. A call
 * is sent once, and a late reply is dropped.
 */
export class Connection {
  readonly deadline: Deadline<Call>;
  readonly connectDeadline: number;
  readonly isCluster: boolean;
  readonly #probe: ScriptCall;
  readonly #run: RunScript;
  readonly #endpoint: Endpoint;
  readonly #cluster: ClusterEndpoints | undefined;
  readonly #waits = new Set<Promise<void>>();
  readonly #onReady = new Listeners();
  readonly #onAnswer = new Listeners();
  /** The deadline of calls that no request waits for. It is undefined before the first such call. */
  #asideDeadline: Deadline<Call> | undefined;
  /** Checks that wait for an answer. */
  inFlight = 0;
  readonly #eviction: EvictionCheck;
  readonly #refusals = new Refusals();
  readonly #outages: Outages;

  constructor(client: ObservedClient, { run, deadline, connectDeadline, probe }: ConnectionOptions) {
    this.deadline = deadline;
    this.connectDeadline = connectDeadline;
    this.#probe = probe;
    this.#run = run;
    this.#eviction = new EvictionCheck(run);
    this.#outages = new Outages(client, this.#refusals);
    const resetConnection = client.resetConnection && (() => client.resetConnection!());
    const keepsConnecting = () => client.status !== 'end' && !isConfiguration(client.lastError);
    const onReady = () => this.#onReady.call();
    this.isCluster = client.isCluster === true;
    const examine = databaseCheckOf(client);
    this.#endpoint = new Endpoint(client, { connectDeadline, keepsConnecting, resetConnection, onReady, examine });
    const deadlines = { deadline: deadline.milliseconds, connectDeadline };
    this.#cluster = this.isCluster ? new ClusterEndpoints(client, deadlines, onReady) : undefined;
  }

  /** Calls back each time that a server becomes ready. It returns a function that ends the subscription. */
  onReady(listener: () => void): () => void {
    return this.#onReady.add(listener);
  }

  /**
   * Calls back when a server answers for the first time, and again after a failure. It returns a function that ends the
   * subscription.
   */
  onAnswer(listener: () => void): () => void {
    return this.#onAnswer.add(listener);
  }

  /** Why calls are not sent to a server that is ready. */
  get mistake(): Error | undefined {
    return this.#endpoint.mistake;
  }

  /** The state of each breaker that a call has needed. */
  breakers(): readonly BreakerStats[] {
    const { breaker, isConnected } = this.#endpoint;
    return this.#cluster?.breakers() ?? [{ state: breaker.state, isConnected }];
  }

  /** Hash tags of keys, one on each primary of a Cluster. */
  tagsOfPrimaries(): string[] {
    return this.#cluster?.tagsOfPrimaries() ?? [];
  }

  /** The error of a call that would not be sent. */
  outageOf(key: string): StoreError | undefined {
    const endpoint = this.#endpointOf(key);
    const readiness = endpoint.ensureReady();
    if (readiness === 'ready' && endpoint.breaker.state === 'closed') return undefined;
    return this.#outages.of(endpoint, readiness);
  }

  /** @param now milliseconds of `performance.now()` */
  send(request: CallRequest, now: number): void {
    const [key] = request.encode().keys;
    const endpoint = this.#endpointOf(key!);
    if (!this.#isReady(request, endpoint, 'send')) return;
    const admitted = endpoint.breaker.admit(now);
    if (admitted === 'call') {
      this.#call(request, endpoint, admitted, now);
      return;
    }
    // No request waits for a server that may be down, not even for the probe.
    if (admitted === 'probe') this.#call(probeCall(this.#probe, key!), endpoint, admitted, now);
    request.reject(copyOf(this.#outages.breakerOpen(endpoint)));
  }

  /** Sends a call also while the breaker is open, to a server that is ready. */
  sendAnyway(request: CallRequest, now: number): void {
    const [key] = request.encode().keys;
    const endpoint = this.#endpointOf(key!);
    if (!this.#isReady(request, endpoint, 'sendAnyway')) return;
    this.#call(request, endpoint, 'call', now);
    // The probe closes the breaker of a process without requests. Its text goes behind: a process may end now, and a server
    // that wakes reads only the first 16 kB of a connection that has ended.
    if (endpoint.breaker.admit(now) === 'probe') this.#call(probeCall(this.#probe, key!), endpoint, 'probe', now);
  }

  /**
   * Sends a call that no request waits for: it has 5 seconds, and how it ends says nothing to the breaker. It is not sent
   * while the breaker is open.
   *
   * @param now milliseconds of `performance.now()`
   */
  sendAside(request: CallRequest, now: number): void {
    const [key] = request.encode().keys;
    const endpoint = this.#endpointOf(key!);
    if (!this.#isReady(request, endpoint, 'sendAside')) return;
    if (isOpen(endpoint)) request.reject(copyOf(this.#outages.breakerOpen(endpoint)));
    else this.#call(request, endpoint, 'aside', now);
  }

  /** Resolves when all calls that were sent until now are settled. */
  async idle(): Promise<void> {
    // A call that has waited for a Cluster may wait again, for one of its nodes.
    while (this.#waits.size > 0) await Promise.all(this.#waits);
    const pending = [...this.deadline.pending(), ...(this.#asideDeadline?.pending() ?? [])];
    await Promise.all(pending.map((call) => call.ended()));
  }

  /** False for a server that gets no call now: the request waits for its first connection, or is rejected. */
  #isReady(request: CallRequest, endpoint: Endpoint, send: Send): boolean {
    const readiness = endpoint.ensureReady();
    if (readiness === 'starting') this.#sendLater(request, endpoint, send);
    if (readiness === 'down') request.reject(copyOf(this.#outages.notReady(endpoint)));
    return readiness === 'ready';
  }

  #endpointOf(key: string): Endpoint {
    return this.#cluster?.of(key) ?? this.#endpoint;
  }

  #sendLater(request: CallRequest, endpoint: Endpoint, send: Send): void {
    this.inFlight += request.groups;
    const wait = endpoint.started().then(() => {
      this.#waits.delete(wait);
      this.inFlight -= request.groups;
      this[send](request, performance.now());
    });
    this.#waits.add(wait);
  }

  #call(request: CallRequest, endpoint: Endpoint, admitted: Admitted, sentAt: number): void {
    const { isCluster } = this;
    const deadline = admitted === 'aside' ? (this.#asideDeadline ??= new Deadline(ASIDE_DEADLINE_MS)) : this.deadline;
    const [run, onSettled] = [this.#run, this.#onSettled];
    const call = new Call({ request, endpoint, admitted, run, sentAt, deadline, isCluster, onSettled });
    this.inFlight += call.groups;
    deadline.watch(call);
    call.send();
  }

  readonly #onSettled = (call: Call): void => {
    this.inFlight -= call.groups;
    (call.admitted === 'aside' ? this.#asideDeadline! : this.deadline).settle();
    if (call.outcome !== 'answered') call.endpoint.isAnswering = false;
    else if (!call.endpoint.isAnswering) {
      call.endpoint.isAnswering = true;
      this.#onAnswer.call();
    }
    // The clock of the call, because every call asks.
    if (call.outcome === 'answered' && call.dueAt >= this.#eviction.dueAt) this.#eviction.look(call.dueAt);
    if (call.error) this.#refusals.report(call.error);
  };
}
