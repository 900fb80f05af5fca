import { coveredBy } from '../model/covering.js';
import type { Claim } from '../model/claim.js';

/** For each place of a group which others a balance there covers, as a sum of 2^place, or -1 where it pays for none. */
export type CoveredPlaces = readonly number[];

export const COVERS_NONE = -1;

export function coveredPlaces(group: readonly Pick<Claim, 'tier' | 'policy'>[]): CoveredPlaces {
  return group.map(({ policy }) => {
    const names = coveredBy(policy);
    if (names === undefined) return COVERS_NONE;
    return group.reduce((sum, { tier }, place) => (names.includes(tier) ? sum + 2 ** place : sum), 0);
  });
}

/** The Lua by which a script made for a group lets balances pay for the others: covers.lua has the rule. */
export class Payment {
  readonly #covered: CoveredPlaces;
  readonly #hasCosts: boolean;

  /** @param hasCosts each place has a count of its own, and `charged` is 1 for a group that is charged. @default one count */
  constructor(covered: CoveredPlaces, hasCosts = false) {
    this.#covered = covered;
    this.#hasCosts = hasCosts;
  }

  /** Whether a balance of the group covers other tiers. */
  get isNeeded(): boolean {
    return this.#covered.some((places) => places !== COVERS_NONE);
  }

  /** Once a call. */
  get begin(): string {
    return this.isNeeded ? `\nlocal covered = { ${this.#covered.join(', ')} }` : '';
  }

  /** What `charged` is for a group that is charged. */
  get charge(): string {
    return this.#hasCosts ? '1' : 'count';
  }

  /** The condition under which no balance has to pay. */
  get fits(): string {
    const others = this.#covered.flatMap((places, place) => (places === COVERS_NONE ? [this.#fit(place)] : []));
    return others.length === 0 ? 'true' : others.join(' and ');
  }

  /** Where not all tiers fit: sets `payer` to the place of the balance that pays, if one does. @param otherwise what else is tried */
  choose(otherwise: string): string {
    const fits = this.#covered.map((_, place) => this.#fit(place)).join(', ');
    return ` else
        payer = payer_of({ ${fits} }, covered)
        if payer then charged = ${this.charge}${otherwise} end
      end`;
  }

  /** What one place is charged: a line before its `settle`, or none where it is charged as all are. */
  chargeAt(place: number): string {
    return this.isNeeded ? `\n      local charged = is_charged_by(payer, ${place + 1}, covered) and charged or 0` : '';
  }

  /** What follows the claim of a balance on the general path. */
  noteAt(place: number): number {
    return this.#covered[place]!;
  }

  #fit(place: number): string {
    return `room${place + 1} >= count${this.#hasCosts ? place + 1 : ''}`;
  }
}
