import type { Policy } from '../model/policy.js';

/** For each place of a group the places of the tiers in whose place a balance there pays. Empty for all other tiers. */
export type CoveredPlaces = readonly (readonly number[])[];

/** Which places of a group a script charges where balances may pay for the others, as covers.lua does. */
export class Payment {
  readonly #covers: CoveredPlaces;
  readonly #isCovering: readonly boolean[];
  readonly #hasCosts: boolean;

  /**
   * @param covers @default nothing
   * @param hasCosts each place has a count of its own, and `charged` is 1 for a group that is charged. @default one count
   */
  constructor(policies: readonly Policy[], covers: CoveredPlaces = policies.map(() => []), hasCosts = false) {
    this.#covers = covers;
    this.#hasCosts = hasCosts;
    this.#isCovering = policies.map((policy) => policy.covers !== undefined);
  }

  /** Whether a balance of the group covers other tiers. */
  get isNeeded(): boolean {
    return this.#isCovering.includes(true);
  }

  /** What `charged` is for a group that is charged. */
  get charge(): string {
    return this.#hasCosts ? '1' : 'count';
  }

  /** The condition under which no balance has to pay. */
  get fits(): string {
    return this.#fit(this.#isCovering.flatMap((isCovering, place) => (isCovering ? [] : [place])));
  }

  /** Where not all tiers fit: sets `payer` to the place of the first balance that covers the others and holds the cost. */
  get choose(): string {
    const cases = this.#covers.flatMap((covered, payer) => {
      if (!this.#isCovering[payer]) return [];
      const others = this.#isCovering.flatMap((each, place) => (each || covered.includes(place) ? [] : [place]));
      return ` elseif ${this.#fit([payer, ...others])} then charged, payer = ${this.charge}, ${payer + 1}`;
    });
    return cases.join('');
  }

  /** What one place is charged: a line before its `settle`, or none where it is charged as all are. */
  chargeAt(place: number): string {
    if (this.#isCovering[place]) return `\n      local charged = payer == ${place + 1} and charged or 0`;
    const payers = this.#covers.flatMap((covered, payer) => (covered.includes(place) ? [`payer == ${payer + 1}`] : []));
    return payers.length === 0 ? '' : `\n      local charged = (${payers.join(' or ')}) and 0 or charged`;
  }

  /** What follows the claim of a place on the general path, if it is that of a balance. */
  noteAt(place: number): number {
    return this.#isCovering[place] ? this.#covers[place]!.reduce((sum, covered) => sum + 2 ** covered, 0) : -1;
  }

  #fit(places: readonly number[]): string {
    const fit = (place: number) => `room${place + 1} >= count${this.#hasCosts ? place + 1 : ''}`;
    return places.length === 0 ? 'true' : places.map(fit).join(' and ');
  }
}
