import { warn } from '@sluice/http/adapter';
import { accessOf, type Authorize } from './access.js';
import { logFailure } from './answers.js';
import { ConsoleToken } from './console-token.js';
import type { Mounted } from './mounted.js';

/**
 * Decides which requests see the dashboard. Without `authorize` only those with the token that the process prints, and in
 * production none.
 */
export class Door {
  readonly #authorize: Authorize | undefined;
  readonly #token: ConsoleToken | undefined;

  constructor(authorize: Authorize | undefined) {
    this.#authorize = authorize;
    if (authorize === undefined) this.#token = consoleToken();
  }

  get token(): string | undefined {
    return this.#token?.text;
  }

  /** True for the link that the process has printed. */
  isLink(visit: Mounted): boolean {
    return this.#token?.isIn(visit) ?? false;
  }

  /** What keeps the browser of a link in. */
  cookie(visit: Mounted): string {
    return this.#token!.cookie(visit.request);
  }

  /** The name of the person, if `authorize` returns one. An error is a refusal like any other: its status would show. */
  async admits({ request }: Mounted): Promise<boolean | string> {
    if (this.#authorize === undefined) return this.#token?.admits(request) ?? false;
    return accessOf(request, this.#authorize).catch((error: unknown) => {
      logFailure(error);
      return false;
    });
  }

  refuse(visit: Mounted): void {
    this.#token?.showLink(visit);
    visit.refuse();
  }
}

/** A dashboard that no request may see is no reason to stop an application. */
function consoleToken(): ConsoleToken | undefined {
  // Not by console: applications redirect it, and stdout may be data.
  if (process.env['NODE_ENV'] !== 'production') return new ConsoleToken((line) => process.stderr.write(`${line}\n`));
  const remedy = 'pass authorize: (request) => true, or the name of the person, for requests that may see it';
  warn('SLUICE_DASHBOARD_CLOSED', `createDashboard: without authorize no request sees it in production: ${remedy}`);
  return undefined;
}
