import type { IncomingMessage } from 'node:http';

/**
 * Decides whether a request may see the dashboard: `true`, or the name of the person, which `sluice:audit` reports. `true`
 * instead of a function lets everybody in.
 */
export type Authorize = true | ((request: IncomingMessage) => Access | Promise<Access>);

type Access = boolean | string | undefined;

/** A scheme, a name of 253 characters and a port. A longer text takes long to parse. */
const MAX_ORIGIN_LENGTH = 512;

/** @returns false for a request that may not see the dashboard, and a name if one is known */
export async function accessOf(request: IncomingMessage, authorize: Authorize): Promise<boolean | string> {
  if (authorize === true) return true;
  const access = await authorize(request);
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
