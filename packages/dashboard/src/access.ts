import type { IncomingMessage } from 'node:http';
import { ROLES, type Role } from './api/role.js';

/**
 * Decides whether a request may see the dashboard: `true`, or the name of the person, which `sluice:audit` reports, or name and
 * role. Without a role the person may do all. `true` instead of a function lets everybody in.
 */
export type Authorize = true | ((request: IncomingMessage) => Access | Promise<Access>);

type Access = boolean | string | undefined | Person;

/** Who may see the dashboard. */
export interface Person {
  readonly name: string;
  readonly role: Role;
}

/** A scheme, a name of 253 characters and a port. A longer text takes long to parse. */
const MAX_ORIGIN_LENGTH = 512;

/** @returns false for a request that may not see the dashboard, and a name if one is known */
export async function accessOf(request: IncomingMessage, authorize: Authorize): Promise<boolean | string | Person> {
  if (authorize === true) return true;
  const access = await authorize(request);
  if (typeof access === 'object' && access !== null) {
    return typeof access.name === 'string' && access.name !== '' && ROLES.includes(access.role) ? access : false;
  }
  return access === true || (typeof access === 'string' && access !== '') ? access : false;
}

/**
 * True for a request of the dashboard's own page, or of a program: a page of another site could send one with the cookies
 * of its visitor.
 */
export function isSameOrigin({ headers }: IncomingMessage): boolean {
  const { 'sec-fetch-site': site, origin } = headers;
  if (site !== undefined) return site === 'same-origin';
  // HTTP/2 has no `host`.
  const { ':authority': host = headers.host } = headers;
  if (origin === undefined) return true;
  return host !== undefined && origin.length <= MAX_ORIGIN_LENGTH && hostOf(origin) === host;
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
