import type { Policy } from '@sluice/core/internal';
import type { NoticedPolicy } from './marks.js';

/**
 * How a policy tells its marks: with the charge; not with it, because another slot of a Cluster may still deny the request; or
 * without a charge, once the request is admitted. Its Lua twin reads the number.
 */
export const TELLING = { charge: 0, held: 1, later: 2 } as const;

/** The same policy, for the two steps of a request whose tiers are in several slots. */
export interface HeldMarks {
  /** Charges, and holds its marks back: the next charge or `later` tells them. */
  readonly held: NoticedPolicy;
  /** Tells the marks that are held back. */
  readonly later: NoticedPolicy;
}

const known = new WeakMap<NoticedPolicy, HeldMarks>();

export function heldMarks(policy: NoticedPolicy): HeldMarks {
  const made = known.get(policy) ?? { held: telling(policy, TELLING.held), later: telling(policy, TELLING.later) };
  known.set(policy, made);
  return made;
}

/** How a policy with marks tells them. */
export function tellingOf({ numbers }: Policy): number {
  return numbers.at(-1)!;
}

function telling(policy: NoticedPolicy, mode: number): NoticedPolicy {
  return Object.freeze({ ...policy, numbers: [...policy.numbers.slice(0, -1), mode] });
}
