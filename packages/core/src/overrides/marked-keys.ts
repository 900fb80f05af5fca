import type { KeyUse } from '../limiter/claims/keyed-identity.js';
import { joinKey, ownerText, StoreKeys } from '../limiter/claims/store-keys.js';
import type { TierDefinition } from '../limiter/tiers/tier-definition.js';
import type { Override } from '../model/override.js';
import { isOver } from './in-force.js';
import { TierOverride } from './tier-override.js';

/** Ends the store key of an identity with an override. */
const MARK = '!';
const DIGEST = '-'.repeat(22);

/** The overrides of the tiers of one name, by the owners in store keys: see `ownerText`. */
export type TierOverrides = Map<string, Override>;

interface MarkContext {
  readonly overrides: TierOverrides;
  readonly isPartitioned: boolean;
  readonly use: KeyUse;
}

/**
 * The store keys of a tier, with a mark where the identity has an override. The caches of keys so remember that most
 * identities have none, and a check reads the length of a key that it has anyway: a look-up among 10 000 overrides takes up to
 * four cache misses of the processor. They are right until an override comes, changes or goes.
 */
export class MarkedKeys {
  readonly keys: StoreKeys;
  /** Of a key without a mark. */
  readonly length: number;
  readonly #overrides: TierOverrides;
  readonly #owner: { readonly start: number; readonly end: number };
  readonly #tier: TierDefinition<never>;
  /** By marked keys. */
  readonly #known = new Map<string, TierOverride>();

  constructor(tier: TierDefinition<never>, { overrides, isPartitioned, use }: MarkContext) {
    const { storeKeys } = tier;
    const partition = isPartitioned ? DIGEST : undefined;
    const start = storeKeys.parts.prefix.length + ':'.length;
    this.#overrides = overrides;
    this.#tier = tier;
    this.#owner = { start, end: start + ownerText(DIGEST, partition).length };
    this.length = storeKeys.keyOfDigest(DIGEST, partition).length;
    this.keys = new StoreKeys({ ...storeKeys.parts, use }, (parts, owner) => {
      const key = joinKey(parts, owner);
      return overrides.has(owner) ? `${key}${MARK}` : key;
    });
  }

  /** The override of a key, marked or not. Undefined also for one that is over. */
  overrideIn(key: string): Override | undefined {
    const override = this.#find(key);
    return override === undefined || isOver(override) ? undefined : override;
  }

  /** The override of a marked key, remembered for its next check. Undefined for one that is over or was removed. */
  overrideOf(key: string): TierOverride | undefined {
    const known = this.#known.get(key) ?? this.#remember(key);
    return known === undefined || isOver(known.override) ? undefined : known;
  }

  /** A key without its mark. */
  plain(key: string): string {
    return key.slice(0, this.length);
  }

  #remember(key: string): TierOverride | undefined {
    const override = this.#find(key);
    if (override === undefined) return undefined;
    const known = new TierOverride(this.#tier, override, this.plain(key));
    this.#known.set(key, known);
    return known;
  }

  #find(key: string): Override | undefined {
    const { start, end } = this.#owner;
    return this.#overrides.get(key.slice(start, end));
  }
}
