import { randomBytes } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import type { Mounted } from './mounted.js';

const BYTES = 16;
/** Of a mount that a terminal can show as it is. */
const PRINTABLE = /^[\w./~%-]{0,200}$/;

/** Lets in the reader of the terminal: a random text that is printed at the start and valid while the process runs. */
export class ConsoleToken {
  readonly text = randomBytes(BYTES).toString('base64url');
  readonly #print: (line: string) => void;
  #isLinkShown = false;

  /** @param print writes a line to the log of the process */
  constructor(print: (line: string) => void) {
    this.#print = print;
    print(`Sluice dashboard: add ?token=${this.text} to its address, such as ${this.#link(3000, '/sluice/')}`);
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
}
