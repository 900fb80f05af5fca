import { tracingChannel } from 'node:diagnostics_channel';
import type { Decision } from '../model/decision.js';
import type { ErrorCode } from '../model/errors.js';
import type { EventChannel } from './event-channel.js';
import type { StoreCallEvent } from './events.js';

/** The context object of `sluice:consume`, the same in all events of one `consume`. A listener may keep its own data in it. */
export interface ConsumeTrace {
  /**
   * A listener of `start` sets it to get the other events, and to be listed by calls to Redis: of a request that is not
   * sampled, nothing else is published.
   */
  followed: boolean;
  /** Undefined until it is made. */
  decision?: Decision;
  /** The error that `consume` rejected with. */
  code?: ErrorCode;
}

/** The context object of `sluice:call`, the same in all events of one call to Redis. */
export interface CallTrace {
  /** The context objects of the followed `consume` calls whose checks are in this call. */
  readonly consumes: readonly ConsumeTrace[];
  /** Requests in the call. 0 for a call without checks, such as a refund. */
  readonly groups: number;
  /** On a Cluster, the primary that is called, as `host:port`. */
  primary?: string;
  /** A listener of `start` may wrap it, to send the call in an async context of its own. */
  send: () => void;
  /** Undefined until the call ends. */
  outcome?: StoreCallEvent['outcome'];
  /** The error of Redis or of the connection, for a call that was not answered. */
  problem?: string;
}

/** Published while `start` has a listener: then an untraced check costs one test. */
export const traces = {
  consume: tracedBy<ConsumeTrace>('sluice:consume'),
  call: tracedBy<CallTrace>('sluice:call'),
};

function tracedBy<Trace>(
  name: string,
): Readonly<Record<'start' | 'end' | 'asyncStart' | 'asyncEnd' | 'error', EventChannel<Trace>>> {
  return tracingChannel(name);
}
