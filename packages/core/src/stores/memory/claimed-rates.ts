import type { Claim } from '../../model/claim.js';
import { DecidedRates, type StoredKey } from '../decided-rates.js';

/** Claims that kernels decide. */
export class ClaimedRates extends DecidedRates {
  readonly #group: readonly Claim[];

  constructor(group: readonly Claim[]) {
    super(group, 1);
    this.#group = group;
  }

  keyAt(index: number): StoredKey {
    return { storeKey: this.#group[index]!.key, slot: 0 };
  }
}
