// events/ publishes what happens in a process: diagnostics channels, traces and process warnings. Values enter, and
// subscribers receive them. It imports model.
import { subscribe as listen, unsubscribe } from 'node:diagnostics_channel';
import type { OnStoreFailure } from '../model/claim.js';
import type { Decision } from '../model/decision.js';
import { UsageError, type ErrorCode } from '../model/errors.js';
import type { EventChannel } from './event-channel.js';

/** The events on `node:diagnostics_channel`, by the name of their channel. They contain no identity of a client. */
export interface SluiceEvents {
  /** A limiter has decided a request. */
  'sluice:decision': DecisionEvent;
  /** A call to Redis has ended. */
  'sluice:store-call': StoreCallEvent;
  /** A circuit breaker has changed its state. */
  'sluice:breaker': BreakerEvent;
  /** Redis has replied after the deadline of a call. */
  'sluice:late-reply': LateReplyEvent;
  /** The store has failed, and `onStoreFailure` has decided a request. */
  'sluice:degraded': DegradedEvent;
  /** Redis refuses calls until its configuration or yours changes. There is at most one event a minute for each cause. */
  'sluice:config-fault': ConfigFaultEvent;
  /** `refund` or `settle` has given units back. */
  'sluice:refund': RefundEvent;
  /** `settle` has charged more than was reserved. */
  'sluice:charge': ChargeEvent;
  /** A lease has got, spent or returned units. */
  'sluice:lease': LeaseEvent;
  /** A running request held units that others could have been given. */
  'sluice:permit-lapsed': PermitLapsedEvent;
  /** The address of a client is on a list of a gate. */
  'sluice:listed': ListedEvent;
  /** A list of addresses could not be refreshed. */
  'sluice:list-failed': ListFailedEvent;
  /** Redis has lost changes of a list of addresses. This process has them, and writes them back. */
  'sluice:list-lost': ListLostEvent;
  /** An operator has changed what a store holds, through the dashboard, its HTTP API or the command line. */
  'sluice:audit': AuditEvent;
  /** `@sluice/policies` has put other limits in force in this process, or refused them. */
  'sluice:policies': PoliciesEvent;
  /** The limit of an identity was overridden in this process, or an override was removed. */
  'sluice:override': OverrideEvent;
  /** A charge has reached a mark of a tier with `notices`: once in a window or period, in a single process. */
  'sluice:notice': Notice;
}

export interface DecisionEvent {
  readonly decision: Decision;
}

export interface StoreCallEvent {
  /** Milliseconds from the send of the call to its end. */
  readonly duration: number;
  /** Requests in the call. 0 for a call without checks, such as a refund. */
  readonly groups: number;
  /** `late`: the deadline has passed. `failed`: Redis or the connection returned an error. */
  readonly outcome: 'answered' | 'failed' | 'late';
  /** The error of Redis or of the connection, for a call that was not answered. */
  readonly problem?: string;
  /** On a Cluster, the primary that was called, as `host:port`. */
  readonly primary?: string;
}

export interface BreakerEvent {
  /** `half-open`: one probe is in flight. */
  readonly state: 'open' | 'half-open' | 'closed';
  /** The error that opened it. */
  readonly problem?: string;
  /** Milliseconds until the next probe. */
  readonly openFor?: number;
  /** On a Cluster, the primary behind the breaker, as `host:port`. */
  readonly primary?: string;
}

export interface LateReplyEvent {
  /** Milliseconds from the send of the call to its reply. */
  readonly duration: number;
  /** The requests in the call, which Redis may have charged. */
  readonly groups: number;
  /** On a Cluster, the primary that was called, as `host:port`. */
  readonly primary?: string;
}

export interface DegradedEvent {
  readonly operation: 'consume' | 'peek' | 'refund';
  /** How the request was decided instead. Undefined for a refund, which gave nothing back. */
  readonly fallback?: OnStoreFailure;
  readonly code: ErrorCode;
  /** Why the store failed. */
  readonly message: string;
  /** The tiers of the request. */
  readonly tiers: readonly string[];
}

export interface ConfigFaultEvent {
  /** The error of Redis or of the connection, without arguments. */
  readonly problem: string;
}

export interface RefundEvent {
  /** The tiers that gave units back, and the most that each could give. */
  readonly tiers: readonly { readonly tier: string; readonly units: number }[];
  /** The units that came back, in sum: fewer if time has given some back already, or if the store failed. */
  readonly given: number;
}

export interface ChargeEvent {
  /** The tiers that were charged, and the additional units of each. */
  readonly tiers: readonly { readonly tier: string; readonly units: number }[];
}

export interface LeaseEvent {
  readonly tier: string;
  readonly units: number;
  /** `granted`: charged ahead in the store. `spent`: on requests. `returned`: unused, and given back to the store. */
  readonly state: 'granted' | 'spent' | 'returned';
}

export interface PermitLapsedEvent {
  readonly tier: string;
  /** They count again, so that more may run than the limit allows, until others end. */
  readonly units: number;
}

export interface ListedEvent {
  /** The name of the list; `allow` or `deny` for one that the options have. */
  readonly list: string;
  /** `allow`: the request was not counted. `deny`: it was denied. */
  readonly rule: 'allow' | 'deny';
  /** True for a list in shadow, which had no effect on the request. */
  readonly shadow: boolean;
}

export interface ListFailedEvent {
  readonly list: string;
  /** False while the list has no state yet: `onStoreFailure` of the list then says what a gate does. */
  readonly isLoaded: boolean;
  /** The error of Redis or of the connection. */
  readonly problem: string;
}

export interface ListLostEvent {
  readonly list: string;
  /** Networks and removals that Redis has lost, and that this process knows. */
  readonly changes: number;
}

/** Something that a person has changed. What a program changes without an author is none. */
export interface AuditEvent {
  /** Names the act: 1 to 64 of `A-Z`, `a-z`, `0-9`, `_`, `.`, `:` and `-`. */
  readonly id: string;
  /** Milliseconds since 1970 by the clock of the store. */
  readonly at: number;
  /**
   * `forget`: the state of an identity was deleted. `override`: its limit was changed. `end-override`: it was changed back. `pause`
   * and `release`: the same of a limit of 0. `credit`, `debit` and `reconcile`: its balance was changed. `apply`: a text of policies
   * was put in force.
   */
  readonly operation:
    | 'forget'
    | 'override'
    | 'end-override'
    | 'pause'
    | 'release'
    | 'credit'
    | 'debit'
    | 'reconcile'
    | 'apply';
  /** The name of the person or of the token. It is undefined if `authorize` of the dashboard returned no name. */
  readonly by?: string;
  readonly reason?: string;
  /** Where, and the digest of the identity there. Without a `secret` an address can be guessed from it. */
  readonly tiers: readonly { readonly tier: string; readonly digest: string }[];
  /** The digest of the partition. */
  readonly partition?: string;
  /** Numbers of the change, such as `limit` and `until`, or `units` and `balance`. */
  readonly detail?: Readonly<Record<string, string | number | null>>;
}

/** A client has used a part of its limit. The event is published once in a window or period, in a single process. */
export interface Notice {
  /** The name of the tier. */
  readonly tier: string;
  /** Of the identity, as in the keys of the store. Without a `secret` an address can be guessed from it. */
  readonly digest: string;
  /** The text that `label` of the tier has returned. It is absent for a tier without `label`. */
  readonly label?: string;
  /** A part of the limit, above 0 and at most 1. */
  readonly mark: number;
  /** Units of the window or period, after the charge that has reached the mark. */
  readonly used: number;
  readonly limit: number;
  /** When the count begins at 0 again, in milliseconds since 1970 by the clock of the store. */
  readonly endsAt: number;
}

export interface PoliciesEvent {
  /** `rejected`: what was in force stays. */
  readonly state: 'applied' | 'rejected';
  /** Where the text is from. */
  readonly source: 'file' | 'fallback' | 'redis';
  /** SHA-256 of a text that is in force, in hexadecimal. */
  readonly sha?: string;
  /** The version in Redis. */
  readonly version?: number;
  /** Why a text was rejected, with its place in the text. */
  readonly problem?: string;
}

/** Digests, and no identity. Without a `secret` an address can be guessed from its digest. */
export interface OverrideEvent {
  readonly operation: 'set' | 'remove';
  readonly tier: string;
  readonly digest: string;
  readonly partition?: string;
  readonly limit: number | null;
  readonly until?: number;
  readonly reason: string;
}

// A record, because the compiler then finds a channel that it lacks.
const CHANNELS: Readonly<Record<keyof SluiceEvents, true>> = {
  'sluice:decision': true,
  'sluice:store-call': true,
  'sluice:breaker': true,
  'sluice:late-reply': true,
  'sluice:degraded': true,
  'sluice:config-fault': true,
  'sluice:refund': true,
  'sluice:charge': true,
  'sluice:lease': true,
  'sluice:permit-lapsed': true,
  'sluice:listed': true,
  'sluice:list-failed': true,
  'sluice:list-lost': true,
  'sluice:audit': true,
  'sluice:policies': true,
  'sluice:override': true,
  'sluice:notice': true,
};

/**
 * Calls a listener for every event of a channel: for logs, metrics and alerts. An error in a listener does not reach the
 * request. Node reports it as an uncaught exception.
 *
 * @param event the name of a channel, or an event that a feature exports, such as `shedEvent` of `@sluice/overload`
 * @example
 * const end = subscribe('sluice:breaker', ({ state, problem }) => log.warn({ state, problem }, 'rate limit store'));
 *
 * @returns ends the subscription
 * @throws UsageError USAGE_INVALID for an unknown channel, and for a listener that is not a function
 */
export function subscribe<Name extends keyof SluiceEvents>(
  event: Name,
  listener: (event: SluiceEvents[Name]) => void,
): () => void;
export function subscribe<Event>(event: EventChannel<Event>, listener: (event: Event) => void): () => void;
export function subscribe(event: string | EventChannel<never>, listener: (event: never) => void): () => void {
  const name = nameOf(event);
  // Node calls the listener at the first event, and its error there ends the process.
  if (typeof listener !== 'function') {
    const message = `subscribe: listener must be a function of the event, got ${typeof listener}`;
    throw new UsageError('USAGE_INVALID', message);
  }
  const onMessage = (message: unknown) => listener(message as never);
  listen(name, onMessage);
  return () => void unsubscribe(name, onMessage);
}

/** @throws UsageError USAGE_INVALID */
function nameOf(event: string | EventChannel<never>): string | symbol {
  if (typeof event === 'string' && Object.hasOwn(CHANNELS, event)) return event;
  const { name, publish } = Object(event) as Partial<EventChannel<never>>;
  if (typeof event === 'object' && name !== undefined && typeof publish === 'function') return name;
  const rule = `must be one of ${Object.keys(CHANNELS).join(', ')}, or an event that a feature exports`;
  const got = typeof event === 'string' ? event : typeof event;
  throw new UsageError('USAGE_INVALID', `subscribe: channel ${rule}, got ${got}`);
}
