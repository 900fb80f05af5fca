import type { BesideKey } from '../../../model/policy.js';
import { hashTag } from '../client/hash-tag.js';

/** The key beside that of a state, in its slot of a Cluster. `notes` are texts. `reported.lua` and `usage.lua` find the same. */
export function besideKey(key: string, what: BesideKey | 'notes'): string {
  return hashTag(key) === key ? `{${key}}:${what}` : `${key}:${what}`;
}
