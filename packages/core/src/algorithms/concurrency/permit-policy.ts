import type { Policy } from '../../model/policy.js';

/** A policy whose units are permits: they come back when their request ends. Times are milliseconds. */
export interface PermitPolicy extends Policy {
  readonly kind: 'running';
  /** How long a unit counts after it was given or renewed. */
  readonly hold: number;
  /** The `retryAfter` of a denial. */
  readonly retry: number;
  /** How long a permit is renewed. `Infinity` without a bound. */
  readonly longest: number;
  /** How long a request waits for a permit. */
  readonly wait: number;
  /** Requests that wait for a key in this process. */
  readonly queue: number;
  /** What the names of the units of its caller end with. Undefined where callers do not share the limit. */
  readonly caller?: string;
  /** Its part of the limit. */
  readonly weight?: number;
}

const waiting = new WeakMap<PermitPolicy, PermitPolicy>();

/** The policy of requests that wait in line: processes in which some do leave each other units. */
export function waitingPolicy(policy: PermitPolicy): PermitPolicy {
  if (policy.twin !== 'cc') return policy;
  let known = waiting.get(policy);
  if (known === undefined) {
    known = Object.freeze({ ...policy, twin: 'cw' } as const);
    waiting.set(policy, known);
  }
  return known;
}
