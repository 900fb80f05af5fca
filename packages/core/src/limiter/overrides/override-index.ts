import type { StoreKeys } from '../claims/store-keys.js';
import type { OverrideEntry } from './override-entry.js';
import type { TierOverrides } from './tier-overrides.js';

/** The overrides of a tier by the store keys of a plan: a check has the key anyway. */
export class OverrideIndex {
  readonly #overrides: TierOverrides;
  readonly #storeKeys: StoreKeys;
  readonly #byKey = new Map<string, OverrideEntry>();
  #version = -1;

  constructor(overrides: TierOverrides, storeKeys: StoreKeys) {
    this.#overrides = overrides;
    this.#storeKeys = storeKeys;
  }

  find(storeKey: string): OverrideEntry | undefined {
    if (this.#version !== this.#overrides.version) this.#rebuild();
    return this.#byKey.get(storeKey);
  }

  #rebuild(): void {
    this.#version = this.#overrides.version;
    this.#byKey.clear();
    for (const entry of this.#overrides.entries()) {
      const { digest, partition } = entry.override;
      this.#byKey.set(this.#storeKeys.keyOfDigest(digest, partition), entry);
    }
  }
}
