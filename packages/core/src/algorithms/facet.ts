import type { Policy } from '../model/policy.js';
import type { Algorithm } from './algorithm.js';

/** What one feature asks of the algorithms that have it. Nobody else knows its type. */
export interface Facet<Steps> {
  /** Its name among the facets of an algorithm. */
  readonly name: string;
  /** What the algorithm of a policy has for the feature. Undefined for most. */
  of(policy: Pick<Policy, 'algorithm'>): Steps | undefined;
}

/** @param name of the feature, which a copy of this package gives it too */
export function facet<Steps>(name: string): Facet<Steps> {
  return { name, of: ({ algorithm }) => (algorithm as Algorithm).facets[name] as Steps | undefined };
}
