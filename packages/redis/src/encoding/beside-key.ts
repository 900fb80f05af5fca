import { hashTag } from '../client/hash-tag.js';

/** The key beside that of a state, in its slot of a Cluster. `notes` are texts. */
export function besideKey(key: string, what: 'notes'): string {
  return hashTag(key) === key ? `{${key}}:${what}` : `${key}:${what}`;
}
