import { warn } from '@sluice/http/adapter';
import { accessOf, type Authorize, type Person } from './access.js';
import { AccessTokens, knownToken, tokenCookie } from './access-tokens.js';
import { logFailure } from './answers.js';
import type { Caller } from './api/role.js';
import { ConsoleToken } from './console-token.js';
import type { Mounted } from './mounted.js';

interface DoorOptions {
  readonly authorize: Authorize | undefined;
  readonly tokens: AccessTokens | undefined;
  /** Nobody may change anything. */
  readonly readOnly: boolean;
}

/**
 * Decides which requests see the dashboard: those with a token, and those that `authorize` lets in. Without both only those with
 * the token that the process prints, and in production none.
 */
export class Door {
  readonly #authorize: Authorize | undefined;
  readonly #tokens: AccessTokens | undefined;
  readonly #console: ConsoleToken | undefined;
  readonly #readOnly: boolean;

  constructor({ authorize, tokens, readOnly }: DoorOptions) {
    this.#authorize = authorize;
    this.#readOnly = readOnly;
    if (authorize === undefined && tokens === undefined) this.#console = consoleToken();
    const printed =
      this.#console && new AccessTokens([knownToken({ by: undefined, role: 'read' }, this.#console.text)]);
    this.#tokens = tokens ?? printed;
  }

  get token(): string | undefined {
    return this.#console?.text;
  }

  /** What keeps the browser of a link in. Undefined for a request that has opened none. */
  cookieOf(visit: Mounted): string | undefined {
    const text = this.#tokens?.linkIn(visit);
    return text === undefined ? undefined : tokenCookie(visit.request, text);
  }

  /** Undefined for a request that is refused. An error of `authorize` is a refusal like any other: its status would show. */
  async callerOf({ request }: Mounted): Promise<Caller | undefined> {
    const known = this.#tokens?.callerOf(request);
    if (known !== undefined) return this.#readOnly ? { ...known, role: 'read' } : known;
    if (this.#authorize === undefined) return undefined;
    const access = await accessOf(request, this.#authorize).catch((error: unknown) => {
      logFailure(error);
      return false as const;
    });
    if (access === false) return undefined;
    const { name, role = 'admin' }: Partial<Person> = typeof access === 'object' ? access : {};
    const by = typeof access === 'string' ? access : name;
    return { by, role: this.#readOnly ? 'read' : role };
  }

  refuse(visit: Mounted): void {
    this.#console?.showLink(visit);
    visit.refuse();
  }
}

/** A dashboard that no request may see is no reason to stop an application. */
function consoleToken(): ConsoleToken | undefined {
  // Not by console: applications redirect it, and stdout may be data.
  if (process.env['NODE_ENV'] !== 'production') return new ConsoleToken((line) => process.stderr.write(`${line}\n`));
  const remedy =
    'pass authorize: (request) => true, or the name of the person, for requests that may see it, or tokens with roles';
  warn('SLUICE_DASHBOARD_CLOSED', `createDashboard: without authorize no request sees it in production: ${remedy}`);
  return undefined;
}
