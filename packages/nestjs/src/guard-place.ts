import type { At } from './rate-limit-options.js';

/** Marks the guards of this package and what extends them, whichever copy of it they are of. */
export const PLACE = Symbol.for('sluice.nestjs.place');

/** What a limit that nobody enforces is told to use. */
export const GUARD_NAMES: Readonly<Record<At, string>> = {
  entry: 'RateLimitGuard',
  authenticated: 'AuthenticatedRateLimitGuard',
};

/** Which limits a guard enforces; undefined for the guards of others. */
export function placeOf(guard: unknown): At | undefined {
  const marked: unknown = typeof guard === 'function' ? guard.prototype : guard;
  return (Object(marked) as { [PLACE]?: At })[PLACE];
}
