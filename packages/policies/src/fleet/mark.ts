import { randomBytes } from 'node:crypto';

/** Tells a change from another one at the same time, and a history from another one. */
export function mark(): string {
  return randomBytes(6).toString('base64url');
}
