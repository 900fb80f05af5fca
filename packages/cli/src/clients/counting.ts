import type { LimiterView } from '@sluice/core';
import type { TypedIdentity } from './identity.js';

/** How tiers identify clients, beside the identity that an operator has typed. */
export interface Counting {
  /** A tier counts by such an identity, or may: a function of the application returns any. */
  readonly isCounted: boolean;
  /** The kinds that the tiers count by, of those that tell it. */
  readonly kinds: readonly string[];
}

/** @param named tiers to ask. @default all */
export function countingOf(
  limiters: readonly LimiterView[],
  { kind }: TypedIdentity,
  named: readonly string[] | undefined,
): Counting {
  const tiers = limiters.flatMap((limiter) => limiter.tiers).filter(({ name }) => named?.includes(name) ?? true);
  return {
    isCounted: tiers.some(({ kinds }) => kind === undefined || kinds === undefined || kinds.includes(kind)),
    kinds: [...new Set(tiers.flatMap(({ kinds = [] }) => kinds))].toSorted(),
  };
}

/** Why nothing is known of a client that no tier counts by this identity. */
export function uncountedText({ name, kind }: TypedIdentity, { kinds }: Counting): string {
  if (kind === undefined) return `not known: no key in Redis has ${name}`;
  if (kinds.length > 0) return `not known: these tiers count by ${kinds.join(' and ')}, and not by ${kind}`;
  return 'not known: a function chooses the tiers by request: list its plans in plans of the limiter';
}
