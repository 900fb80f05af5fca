import { openBetweenProcesses } from './between-processes.js';
import { leaseLayer } from '../with-lease/with-lease.js';
import { waitingPolicy } from '../with-permits/wishes.js';

/**
 * Has stores that several processes share serve leases, and has processes in which requests wait leave each other units. A store
 * calls it before a limiter has the store.
 */
export function addSharedStores(): void {
  openBetweenProcesses({ leaseLayer, waitingPolicy });
}
