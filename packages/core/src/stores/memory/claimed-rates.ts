import type { Claim, SlotHint } from '../../model/claim.js';
import { DecidedRates } from '../decided-rates.js';
import { NONE } from './key-index.js';

/** Claims that kernels decide. */
export class ClaimedRates extends DecidedRates {
  readonly #group: readonly Claim[];

  constructor(group: readonly Claim[]) {
    super(group, 1);
    this.#group = group;
  }

  keyAt(index: number): SlotHint {
    const { key, slotHint } = this.#group[index]!;
    return slotHint ?? { storeKey: key, slot: NONE };
  }
}
