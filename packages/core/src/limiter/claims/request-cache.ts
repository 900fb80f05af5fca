import type { Identity, Key } from '../../model/identity.js';
import { detachedCopy } from '../../cache/detached-copy.js';
import { IdentityCache, isShort } from './identity-cache.js';

interface Known {
  readonly keys: readonly Key[];
  readonly texts: readonly string[];
}

/**
 * Remembers the texts of the keys that came last for several tiers. They are found by the key of their last tier, which
 * mostly tells the most apart: tiers begin with what is common to many.
 */
export class RequestCache {
  readonly #known: IdentityCache<Known>;

  /** @param size requests of a kind that it holds at most */
  constructor(size: number) {
    this.#known = new IdentityCache(size);
  }

  /** @param keys of all tiers */
  get(keys: readonly Key[]): readonly string[] | undefined {
    const known = this.#known.get(keys.at(-1)!);
    if (known === undefined) return undefined;
    for (let index = keys.length - 2; index >= 0; index -= 1) {
      if (!isSame(keys[index]!, known.keys[index]!)) return undefined;
    }
    return known.texts;
  }

  set(keys: readonly Key[], texts: readonly string[]): void {
    if (keys.every(isShort)) this.#known.set(keys.at(-1)!, { keys: keys.map(copyOf), texts });
  }
}

function isSame(one: Key, other: Key): boolean {
  if (one === other) return true;
  if (typeof one === 'string' || typeof other === 'string') return false;
  const { kind, parts } = other;
  return one.kind === kind && one.parts.length === parts.length && one.parts.every((part, at) => part === parts[at]);
}

/** Holds on to nothing that it was a part of. */
function copyOf(key: Key): Key {
  if (typeof key === 'string') return detachedCopy(key);
  const { kind, parts } = key;
  return { kind: detachedCopy(kind), parts: parts.map(detachedCopy) } satisfies Identity;
}
