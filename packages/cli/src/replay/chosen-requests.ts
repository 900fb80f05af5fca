import { usage } from '../failure/failure.js';
import { readRoutes, type Route } from '../limits/routes.js';
import type { LoggedRequest } from '../logs/lines/logged-request.js';
import { FILE } from './kinds/request-flags.js';

export interface Choice {
  /** Routes, of which a request must be one. */
  readonly only?: readonly string[];
  readonly without?: 'files';
}

/** Which requests `--only` and `--without` choose. Undefined for all. @throws Failure for what is no route */
export async function chosenRequests({
  only,
  without,
}: Choice): Promise<((request: LoggedRequest, flags: number) => boolean) | undefined> {
  if (only === undefined && without === undefined) return undefined;
  const routes = only && (await readRoutes('--only', only));
  return (request, flags) =>
    (without === undefined || (flags & FILE) === 0) &&
    (routes === undefined || routes.some((route) => route.takes(request)));
}

/** As many bits a number has. */
const MOST_LIMITERS = 32;

/** A bit for each limiter that a request meets. Undefined where each request meets all. @throws Failure for too many */
export function routesOf(
  limiters: readonly (readonly Route[] | undefined)[],
): ((request: LoggedRequest) => number) | undefined {
  if (limiters.every((routes) => routes === undefined)) return undefined;
  if (limiters.length > MOST_LIMITERS) throw usage(`${limiters.length} limiters: pass one, as --limiter NAME`);
  return (request) => {
    let bits = 0;
    for (const [index, routes] of limiters.entries()) {
      if (routes === undefined || routes.some((route) => route.takes(request))) bits |= 1 << index;
    }
    return bits;
  };
}
