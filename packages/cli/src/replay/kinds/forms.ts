import type { LoggedRequest } from '../../logs/lines/logged-request.js';
import { Columns } from './columns.js';
import { PathCounts } from './path-counts.js';
import { isFormPath, isSignInPath } from './request-flags.js';

/** Attempts of one client to sign in, and to sign in or up. */
export interface ClientForms {
  readonly signIns: number;
  readonly failedSignIns: number;
  readonly forms: number;
  readonly failedForms: number;
}

const COLUMNS = ['signIns', 'failedSignIns', 'forms', 'failedForms'] as const;

/** WordPress answers a wrong password with its form, and a right one with a redirect. */
const WORDPRESS = /\/wp-login\.php$/i;

/** Attempts to sign in or up, by client. */
export class Forms {
  readonly #columns = new Columns(COLUMNS);
  readonly #signInPaths = new PathCounts();
  readonly #paths = new PathCounts();

  /** Counts a request that is one, and returns true for a sign-in. @param isError it was answered as a mistake of the client */
  add(client: number, request: LoggedRequest, isError: boolean): boolean {
    if (request.method !== 'POST') return false;
    const { path, status } = request;
    if (!isFormPath(path)) return false;
    const isSignIn = isSignInPath(path);
    const { columns } = this.#columns.upTo(client);
    const hasFailed = Number(isError || (status === 200 && WORDPRESS.test(path)));
    columns.forms[client]! += 1;
    columns.failedForms[client]! += hasFailed;
    this.#paths.add(path);
    if (!isSignIn) return false;
    columns.signIns[client]! += 1;
    columns.failedSignIns[client]! += hasFailed;
    this.#signInPaths.add(path);
    return true;
  }

  of(client: number): ClientForms {
    const { signIns, failedSignIns, forms, failedForms } = this.#columns.upTo(client).columns;
    return {
      signIns: signIns[client]!,
      failedSignIns: failedSignIns[client]!,
      forms: forms[client]!,
      failedForms: failedForms[client]!,
    };
  }

  /** Where most sign-ins go. Undefined for a log without them. */
  get signInPath(): string | undefined {
    return this.#signInPaths.most;
  }

  /** Where most sign-ins and sign-ups go. */
  get path(): string | undefined {
    return this.#paths.most;
  }
}
