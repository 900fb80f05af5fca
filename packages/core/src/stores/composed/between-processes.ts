import type { PermitPolicy } from '../with-permits/permits.js';
import { processWide } from '../../model/process-wide.js';
import type { LeaseContext, LeaseLayer } from '../with-lease/with-lease.js';

/** What a store adds to a program that several processes share. A program in memory does not load it. */
export interface BetweenProcesses {
  /** Charges units of hot keys ahead. */
  readonly leaseLayer: (context: LeaseContext) => LeaseLayer;
  /** The policy of requests that wait in line, for which processes leave each other units. */
  readonly waitingPolicy: (policy: PermitPolicy) => PermitPolicy;
}

const opened = processWide<{ room?: BetweenProcesses }>('between-processes', () => ({}));

/** Gives the room to all copies of this package. */
export function openBetweenProcesses(room: BetweenProcesses): void {
  opened.room ??= room;
}

/** Undefined where no program has made a Redis store, or imported the room for stores of its own. */
export function betweenProcesses(): BetweenProcesses | undefined {
  return opened.room;
}
