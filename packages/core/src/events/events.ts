import { subscribe as listen, unsubscribe } from 'node:diagnostics_channel';
import type { Decision } from '../model/decision.js';
import type { ErrorCode } from '../model/errors.js';
import type { OnStoreFailure } from '../model/claim.js';

/** What is told on `node:diagnostics_channel`, by the name of the channel. Nobody's identity is in any of it. */
export interface SluiceEvents {
  /** A limiter has decided. */
  'sluice:decision': DecisionEvent;
  /** A call to Redis has come to its end. */
  'sluice:store-call': StoreCallEvent;
  /** A circuit breaker has changed its state. */
  'sluice:breaker': BreakerEvent;
  /** Redis has replied to a call that was not waited for any more. */
  'sluice:late-reply': LateReplyEvent;
  /** The store could not answer, and it was done without it. */
  'sluice:degraded': DegradedEvent;
  /** Redis refuses what it is asked, and will until somebody changes its configuration or ours. Each is told once a minute at most. */
  'sluice:config-fault': ConfigFaultEvent;
}

export interface DecisionEvent {
  readonly decision: Decision;
}

export interface StoreCallEvent {
  /** Milliseconds from the first check that was put into the call to its end. */
  readonly duration: number;
  /** Requests whose checks travelled together; 0 for a call that checks nothing, such as a refund. */
  readonly groups: number;
  /** `late`: the deadline has passed. `failed`: Redis or the connection to it gave an error. */
  readonly outcome: 'answered' | 'failed' | 'late';
  /** What went wrong, if anything did: what Redis said, or what became of the connection. */
  readonly problem?: string;
  /** The primary of a Cluster that was called, as `host:port`. */
  readonly primary?: string;
}

export interface BreakerEvent {
  /** `half-open`: one probe is on its way. */
  readonly state: 'open' | 'half-open' | 'closed';
  /** What has made it open. */
  readonly problem?: string;
  /** Milliseconds until it probes. */
  readonly openFor?: number;
  /** The primary of a Cluster that it is about, as `host:port`. */
  readonly primary?: string;
}

export interface LateReplyEvent {
  /** Milliseconds from the first check that was put into the call to its reply. */
  readonly duration: number;
  /** Requests whose checks travelled together: Redis may have counted them. */
  readonly groups: number;
  /** The primary of a Cluster that was called, as `host:port`. */
  readonly primary?: string;
}

export interface DegradedEvent {
  readonly operation: 'consume' | 'peek' | 'refund';
  /** What was done instead; undefined for a refund, of which nothing was given back. */
  readonly fallback?: OnStoreFailure;
  readonly code: ErrorCode;
  /** Why the store could not answer. */
  readonly message: string;
  /** The tiers that were asked of. */
  readonly tiers: readonly string[];
}

export interface ConfigFaultEvent {
  /** What Redis or the connection said, without arguments. */
  readonly problem: string;
}

/**
 * Listens to events, for logs, metrics and alerts. What a listener throws does not reach a request: Node reports it as an
 * uncaught exception.
 *
 * @returns ends it
 */
export function subscribe<Name extends keyof SluiceEvents>(
  name: Name,
  listener: (event: SluiceEvents[Name]) => void,
): () => void {
  const onMessage = (event: unknown) => listener(event as SluiceEvents[Name]);
  listen(name, onMessage);
  return () => void unsubscribe(name, onMessage);
}
