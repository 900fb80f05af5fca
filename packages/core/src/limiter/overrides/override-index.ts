import type { StoreKeys } from '../claims/store-keys.js';
import type { OverrideEntry } from './override-entry.js';
import type { TierOverrides } from './tier-overrides.js';

/** Places of the filter: 10 000 overrides occupy one of 16. */
const PLACES = 64 ** 3;

/**
 * The overrides of a tier by the store keys of a plan: a check has the key anyway. A look-up in a Map of 10 000 keys takes up to
 * four cache misses of the processor, so that a filter of 32 KB goes before it. It reads three characters of the digest.
 */
export class OverrideIndex {
  readonly #overrides: TierOverrides;
  readonly #storeKeys: StoreKeys;
  readonly #byKey = new Map<string, OverrideEntry>();
  readonly #filter = new Uint32Array(PLACES / 32);
  /** Where the digest begins in a key. */
  readonly #start: number;
  #version = -1;

  constructor(overrides: TierOverrides, storeKeys: StoreKeys) {
    this.#overrides = overrides;
    this.#storeKeys = storeKeys;
    this.#start = storeKeys.digestStart;
  }

  find(storeKey: string): OverrideEntry | undefined {
    if (this.#version !== this.#overrides.version) this.#rebuild();
    const place = this.#placeOf(storeKey);
    return (this.#filter[place >>> 5]! & (1 << (place & 31))) === 0 ? undefined : this.#byKey.get(storeKey);
  }

  #rebuild(): void {
    this.#version = this.#overrides.version;
    this.#byKey.clear();
    this.#filter.fill(0);
    for (const entry of this.#overrides.entries()) {
      const { digest, partition } = entry.override;
      const storeKey = this.#storeKeys.keyOfDigest(digest, partition);
      const place = this.#placeOf(storeKey);
      this.#filter[place >>> 5]! |= 1 << (place & 31);
      this.#byKey.set(storeKey, entry);
    }
  }

  #placeOf(storeKey: string): number {
    const start = this.#start;
    const high = ((storeKey.charCodeAt(start) & 63) << 12) | ((storeKey.charCodeAt(start + 1) & 63) << 6);
    return high | (storeKey.charCodeAt(start + 2) & 63);
  }
}
