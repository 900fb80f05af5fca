import { usage } from '../failure/failure.js';
import type { AnyTier } from './any-tier.js';
import type { Route } from './routes.js';

/** A limiter whose limits are tried: its tiers, and where it stands. */
export interface AnyLimiter<S> {
  /** In its file. Undefined for tiers without one. */
  readonly name?: string | undefined;
  /** Undefined for a limiter that names none. */
  readonly routes?: readonly Route[] | undefined;
  readonly tiers: readonly AnyTier<S>[];
}

/**
 * The limiters of a file that a tool tries: the chosen one, or all. Two that name no routes would both see each request,
 * although they stand at different places.
 *
 * @param file for messages
 * @throws Failure for a name that the file does not have, and for several limiters without routes
 */
export function chosenLimiters<S>(
  file: string,
  limiters: readonly AnyLimiter<S>[],
  chosen: string | undefined,
): readonly AnyLimiter<S>[] {
  const names = limiters.map(({ name }) => name).join(', ');
  if (chosen !== undefined) {
    const found = limiters.filter(({ name }) => name === chosen);
    if (found.length > 0) return found;
    throw usage(`--limiter ${chosen}: ${file} has ${names}`);
  }
  const everywhere = limiters.filter(({ routes }) => routes === undefined);
  if (everywhere.length < 2) return limiters;
  const [{ name }] = everywhere as [AnyLimiter<S>];
  throw usage(
    `${file}: ${everywhere.map((each) => each.name).join(' and ')} name no routes, so that each request would meet all of them.`,
    `Pass one, as --limiter ${name}, or write in the file where each stands, such as`,
    "  routes: ['POST /login', '/api/*']",
  );
}
