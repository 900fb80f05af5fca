import type { Policy } from '../model/policy.js';

/** What one feature needs from the algorithms that support it. No other code knows its type. */
export interface Facet<Steps> {
  /** Its name among the facets of an algorithm. */
  readonly name: string;
  /** Returns what the algorithm of a policy has for the feature. It is undefined for most algorithms. */
  of(policy: Pick<Policy, 'algorithm'>): Steps | undefined;
}

/** @param name of the feature, which a copy of this package gives it too */
export function facet<Steps extends object>(name: string): Facet<Steps> {
  return { name, of: ({ algorithm }) => algorithm.facets[name] as Steps | undefined };
}
