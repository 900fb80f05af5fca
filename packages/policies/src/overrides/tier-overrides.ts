import { type Override, ownerText, type TierDefinition } from '@sluice/core/internal';
import { isOver, type TierOverride } from './in-force.js';
import type { OwnedOverrides } from './owned-overrides.js';

const DIGEST = '-'.repeat(22);

/** The overrides of a tier, by store keys. */
export class TierOverrides {
  readonly #tier: TierDefinition<never>;
  readonly #owned: OwnedOverrides;
  /** Where its owner stands in a store key, and the digest of the identity. */
  readonly #owner: { readonly start: number; readonly end: number };
  readonly #digest: number;
  /** Of the store keys that had an override. */
  readonly #known = new Map<string, TierOverride>();

  constructor(tier: TierDefinition<never>, owned: OwnedOverrides, isPartitioned: boolean) {
    const partition = isPartitioned ? DIGEST : undefined;
    const owner = ownerText(DIGEST, partition);
    const start = tier.storeKeys.prefix.length + ':'.length;
    this.#tier = tier;
    this.#owned = owned;
    this.#owner = { start, end: start + owner.length };
    this.#digest = start + owner.lastIndexOf(DIGEST);
  }

  /** The override that decides for a store key. Undefined for one that is over, and for a limit that the tier cannot have. */
  inForceFor(key: string | undefined): TierOverride | undefined {
    if (key === undefined || !this.#owned.mayHave(key, this.#digest)) return undefined;
    const known = this.#known.get(key) ?? this.#find(key);
    return known === undefined || isOver(known.override) ? undefined : known;
  }

  #find(key: string): TierOverride | undefined {
    const { start, end } = this.#owner;
    const override = this.#owned.get(key.slice(start, end));
    if (override === undefined || !this.#takes(override)) return undefined;
    const { until } = override;
    const found = { override, tier: this.#tier, reported: until === undefined ? {} : { until } };
    this.#known.set(key, found);
    return found;
  }

  #takes({ limit }: Override): boolean {
    return !this.#tier.isOff && (limit === null || this.#tier.mistakeIn(limit) === undefined);
  }
}
