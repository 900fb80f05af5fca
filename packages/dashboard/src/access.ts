import type { IncomingMessage } from 'node:http';

/**
 * Decides whether a request may see the dashboard: `true`, or the name of the person, which `sluice:audit` reports. `true`
 * instead of a function lets everybody in.
 */
export type Authorize = true | ((request: IncomingMessage) => Access | Promise<Access>);

type Access = boolean | string | undefined;

/** A proxy adds one of these: behind it every client has the address of the proxy. */
const FORWARDING = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];
/** The page of another site can have its own name lead to this machine, and would read the answers. */
const LOCAL_NAME = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;
const LOOPBACK = /^(::ffff:)?127\.|^::1$/;

/** A scheme, a name of 253 characters and a port. A longer text takes long to parse. */
const MAX_ORIGIN_LENGTH = 512;

/** @returns false for a request that may not see the dashboard, and a name if one is known */
export async function accessOf(request: IncomingMessage, authorize: Authorize | undefined): Promise<boolean | string> {
  if (authorize === undefined) return isLocal(request);
  if (authorize === true) return true;
  const access = await authorize(request);
  return access === true || (typeof access === 'string' && access !== '') ? access : false;
}

function isLocal({ socket, headers, httpVersion }: IncomingMessage): boolean {
  const name = headers.host ?? headers[':authority'];
  return (
    LOOPBACK.test(socket.remoteAddress ?? '') &&
    LOCAL_NAME.test(String(name)) &&
    // An nginx without settings speaks this version, and adds no header.
    httpVersion !== '1.0' &&
    FORWARDING.every((each) => headers[each] === undefined)
  );
}

/**
 * True for a request of the dashboard's own page, or of a program: a page of another site could send one with the cookies
 * of its visitor.
 */
export function isSameOrigin({ headers }: IncomingMessage): boolean {
  const { 'sec-fetch-site': site, origin, host } = headers;
  if (site !== undefined) return site === 'same-origin';
  return origin === undefined || (origin.length <= MAX_ORIGIN_LENGTH && hostOf(origin) === host);
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
