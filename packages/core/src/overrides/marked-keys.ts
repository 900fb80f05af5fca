import type { KeyUse } from '../limiter/claims/keyed-identity.js';
import { joinKey, ownerText, StoreKeys } from '../limiter/claims/store-keys.js';
import type { TierDefinition } from '../limiter/tiers/tier-definition.js';
import type { OverrideEntry } from './override-entry.js';

/** Ends the store key of an identity with an override. */
const MARK = '!';
const DIGEST = '-'.repeat(22);

/** The overrides of the tiers of one name, by the owners in store keys: see `ownerText`. */
export type TierOverrides = Map<string, OverrideEntry>;

interface MarkContext {
  readonly overrides: TierOverrides;
  readonly isPartitioned: boolean;
  readonly use: KeyUse;
}

/**
 * The store keys of a tier, with a mark where the identity has an override. The caches of keys so remember that most
 * identities have none, and a check reads the length of a key that it has anyway: a look-up among 10 000 overrides takes up to
 * four cache misses of the processor. They are right until an override comes or goes.
 */
export class MarkedKeys {
  readonly keys: StoreKeys;
  /** Of a key without a mark. */
  readonly length: number;
  readonly #overrides: TierOverrides;
  readonly #owner: { readonly start: number; readonly end: number };

  constructor({ storeKeys }: TierDefinition<never>, { overrides, isPartitioned, use }: MarkContext) {
    const partition = isPartitioned ? DIGEST : undefined;
    const start = storeKeys.parts.prefix.length + ':'.length;
    this.#overrides = overrides;
    this.#owner = { start, end: start + ownerText(DIGEST, partition).length };
    this.length = storeKeys.keyOfDigest(DIGEST, partition).length;
    this.keys = new StoreKeys({ ...storeKeys.parts, use }, (parts, owner) => {
      const key = joinKey(parts, owner);
      return overrides.has(owner) ? `${key}${MARK}` : key;
    });
    storeKeys.retire();
  }

  /** The override of a key, marked or not. Undefined also for one that is over. */
  entryOf(key: string): OverrideEntry | undefined {
    const { start, end } = this.#owner;
    const entry = this.#overrides.get(key.slice(start, end));
    return entry?.isOver ? undefined : entry;
  }

  /** A key without its mark. */
  plain(key: string): string {
    return key.slice(0, this.length);
  }
}
