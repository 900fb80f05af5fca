import type { Claim } from '../../model/claim.js';
import { DecidedRates } from '../decided-rates.js';

/** Claims that kernels decide. */
export class ClaimedRates extends DecidedRates {
  declare readonly rates: readonly Claim[];

  constructor(group: readonly Claim[]) {
    super(group, 1);
  }

  storeKeyAt(index: number): string {
    return this.rates[index]!.key;
  }

  hintAt(): undefined {
    return undefined;
  }
}
