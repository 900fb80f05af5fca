import type { Policy } from '../model/policy.js';

/** True for a policy whose units are counted by hours: its algorithm has the facet of `usage()`. */
export function isCounted({ algorithm }: Policy): boolean {
  return algorithm.facets['usage'] !== undefined;
}
