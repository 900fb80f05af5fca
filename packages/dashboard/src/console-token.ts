import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { Mounted } from './mounted.js';

const BYTES = 16;
/** Of a mount that a terminal can show as it is. */
const PRINTABLE = /^[\w./~%-]{0,200}$/;

/**
 * Lets in the reader of the terminal: a random text that is printed at the start and valid while the process runs. A page
 * has it in a cookie, which its link sets; a program sends it as `Authorization: Bearer`.
 */
export class ConsoleToken {
  readonly text = randomBytes(BYTES).toString('base64url');
  readonly #print: (line: string) => void;
  #isLinkShown = false;

  /** @param print writes a line to the log of the process */
  constructor(print: (line: string) => void) {
    this.#print = print;
    print(`Sluice dashboard: add ?token=${this.text} to its address, such as ${this.#link(3000, '/sluice/')}`);
  }

  admits({ headers, socket }: IncomingMessage): boolean {
    const bearer = /^Bearer ([\w-]+)$/i.exec(headers.authorization ?? '');
    if (bearer) return this.#is(bearer[1]);
    const cookie = new RegExp(`(?:^|; )${cookieName(socket.localPort)}=([\\w-]+)`);
    return this.#is(cookie.exec(headers.cookie ?? '')?.[1]);
  }

  /** The request has opened the link. */
  isIn({ request, path, query }: Mounted): boolean {
    if (request.method !== 'GET' || path !== '/') return false;
    return this.#is(/(?:^|&)token=([\w-]+)/.exec(query)?.[1]);
  }

  /** Without a path, because a proxy may have removed a prefix: browsers take the folder of the link. */
  cookie({ socket }: IncomingMessage): string {
    const secure = (socket as TLSSocket).encrypted ? '; Secure' : '';
    return `${cookieName(socket.localPort)}=${this.text}; HttpOnly; SameSite=Strict${secure}`;
  }

  /** Prints the link of a page that was refused, once: only a request knows the port and the mount. */
  showLink({ request: { socket }, mounted, path }: Mounted): void {
    if (this.#isLinkShown || socket.localPort === undefined) return;
    const mount = path === '/' || !mounted.endsWith(path) ? mounted : mounted.slice(0, -path.length);
    if (!PRINTABLE.test(mount)) return;
    this.#isLinkShown = true;
    // The host is not that of the request, which could lead the token to another machine.
    const scheme = (socket as TLSSocket).encrypted ? 'https' : 'http';
    this.#print(`Sluice dashboard: ${this.#link(socket.localPort, mount.replace(/\/?$/, '/'), scheme)}`);
  }

  #link(port: number, path: string, scheme = 'http'): string {
    return `${scheme}://localhost:${port}${path}?token=${this.text}`;
  }

  /** In a time that tells nothing of the token. */
  #is(given: string | undefined): boolean {
    return given !== undefined && timingSafeEqual(digestOf(given), digestOf(this.text));
  }
}

/** Browsers send a cookie to all ports of a host, so processes need names of their own. */
function cookieName(port: number | undefined): string {
  return `sluice-dashboard-${port ?? 'socket'}`;
}

function digestOf(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
