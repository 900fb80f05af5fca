import { eventChannel } from '@sluice/metrics/operations';
import { OPERATIONS } from './api/operations.js';
import type { Role } from './api/role.js';

/** Operations that change something. */
export const DESK_OPERATIONS = OPERATIONS.filter(({ role }) => role !== 'read').map(({ name }) => name);

/** How requests for a change end. */
export const DESK_RESULTS = ['done', 'refused', 'mistaken', 'failed'] as const;

/** A request to the dashboard for a change, from its page or by its HTTP API. */
export interface DeskRequest {
  /** Its route below `api/`. */
  readonly operation: string;
  readonly role: Role;
  /** The name of the person or of the token. */
  readonly by?: string;
  /**
   * `done`: it was answered, also as a repetition. `refused`: the role does not allow it, it comes from another site, or its id names
   * another act. `mistaken`: something else is wrong with it. `failed`: the store or the dashboard has failed.
   */
  readonly result: (typeof DESK_RESULTS)[number];
}

export const deskEvent = eventChannel<DeskRequest>('sluice:desk');

/** @param status of the answer */
export function resultOf(status: number): DeskRequest['result'] {
  if (status < 400) return 'done';
  if (status === 403 || status === 409) return 'refused';
  return status < 500 ? 'mistaken' : 'failed';
}
