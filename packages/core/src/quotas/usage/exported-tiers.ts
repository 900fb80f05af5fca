import { hash } from 'node:crypto';
import { digestIn, keyShape } from '../../limiter/claims/store-keys.js';
import type { OptionReader } from '../../options/option-reader.js';
import { limitersOf } from '../../stores/limiters-of.js';
import type { Store } from '../../stores/store.js';

const SCOPE_LENGTH = 22;

/** The keys of a tier in a store end so. */
interface ExportedTier {
  readonly name: string;
  readonly end: string;
}

/** The tiers of an export, by the prefix of their keys. */
export class ExportedTiers {
  readonly #tiers = new Map<string, Map<string, ExportedTier>>();

  /** @throws ConfigError for a name without such a tier, and without any tier */
  constructor(store: Store, reader: OptionReader) {
    const names = reader.value('tiers');
    const found = new Set<string>();
    for (const { prefix, tiers } of limitersOf(store)) {
      for (const { name, policy } of tiers) {
        if (!policy.usage || (Array.isArray(names) && !names.includes(name))) continue;
        found.add(name);
        const end = `:${name}:${keyShape(policy)}`;
        const known = this.#tiers.get(prefix) ?? new Map<string, ExportedTier>();
        this.#tiers.set(prefix, known.set(end, { name, end }));
      }
    }
    if (names !== undefined && !(Array.isArray(names) && names.every((name) => found.has(name as string)))) {
      throw reader.fail('OPTION_INVALID', 'tiers', 'must be names of tiers with usage: true, of limiters that exist');
    }
    if (found.size > 0) return;
    throw reader.fail('OPTION_INVALID', 'store', 'has no tier with usage: true: create its limiters first');
  }

  prefixes(): readonly string[] {
    return [...this.#tiers.keys()];
  }

  /** A digest of the tiers under a prefix. */
  scopeOf(prefix: string): string {
    const ends = [...this.#tiers.get(prefix)!.keys()].toSorted();
    return hash('sha256', ends.join(' '), 'base64url').slice(0, SCOPE_LENGTH);
  }

  /** The tier that a key belongs to, and the digest in it. Undefined for another key. */
  find(prefix: string, key: string): { readonly tier: string; readonly digest: string } | undefined {
    // The name of a tier may have colons, and its shape has none.
    for (const { name, end } of this.#tiers.get(prefix)!.values()) {
      if (key.endsWith(end)) return { tier: name, digest: digestIn(key, name) };
    }
    return undefined;
  }
}
