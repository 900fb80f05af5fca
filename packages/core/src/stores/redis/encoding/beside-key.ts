import { hashTag } from '../client/hash-tag.js';

/** Where the texts recorded with a key lie: in its slot of a Cluster. */
export function recordKey(key: string): string {
  return beside(key, 'notes');
}

/** Where it lies what was reported of a key. `reported.lua` finds the same. */
export function reportedKey(key: string): string {
  return beside(key, 'reported');
}

/** Where the usage of a key lies. `usage.lua` finds the same. */
export function usageKey(key: string): string {
  return beside(key, 'usage');
}

function beside(key: string, what: string): string {
  return hashTag(key) === key ? `{${key}}:${what}` : `${key}:${what}`;
}
