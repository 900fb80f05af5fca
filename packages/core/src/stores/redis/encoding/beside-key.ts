import { hashTag } from '../client/hash-tag.js';

/** The key beside that of a state, in its slot of a Cluster. `notes` are texts. `usage.lua` finds the same. */
export function besideKey(key: string, what: 'notes' | 'usage'): string {
  return hashTag(key) === key ? `{${key}}:${what}` : `${key}:${what}`;
}
