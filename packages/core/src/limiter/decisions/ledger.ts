import { coveredBy } from '../../model/covering.js';
import type { MaybePromise } from '../../async/maybe-promise.js';
import { isUsedUp, type Claim } from '../../model/claim.js';
import type { Decision } from '../../model/decision.js';
import type { Receipt } from '../../model/receipt.js';
import type { Answer } from '../../model/answer.js';
import type { PlannedClaims, TierInfo } from '../claims/claim-set.js';

/** What a decision has charged to one tier. */
export interface Entry {
  readonly tier: TierInfo;
  readonly claim: Claim;
  /** Of the request and its extensions, oldest first. */
  readonly receipts: readonly Receipt[];
  /** The sum of the receipts. */
  readonly units: number;
}

/**
 * What a decision has charged, and nothing else: `refund`, `settle`, `extend` and `meter` read only this. A refund or a
 * settlement spends it, once.
 */
export class Ledger {
  readonly claimSet: PlannedClaims;
  readonly #decision: Decision;
  #receipts: readonly Receipt[];
  #isSpent = false;
  /** Extensions in flight. */
  readonly #extensions = new Set<Promise<unknown>>();

  /** @param receipts of the request */
  constructor(decision: Decision, claimSet: PlannedClaims, receipts: readonly Receipt[]) {
    this.#decision = decision;
    this.claimSet = claimSet;
    this.#receipts = receipts;
  }

  /** Of the request and its extensions, spent or not. */
  get receipts(): readonly Receipt[] {
    return this.#receipts;
  }

  get isSpent(): boolean {
    return this.#isSpent;
  }

  /** One for each tier that the decision has charged, if only by a cost of 0. Two tiers that have paid one cost have one. */
  entries(): readonly Entry[] {
    return withSharedCosts(this.entriesApart());
  }

  /** One for each tier, also for those that have paid one cost. */
  entriesApart(): readonly Entry[] {
    const { tiers, claims } = this.claimSet;
    return claims.flatMap((claim) => {
      const receipts = this.#receipts.filter(({ tier }) => tier === claim.tier);
      if (receipts.length === 0 && !this.#isFree(claim)) return [];
      const tier = tiers.find(({ name }) => name === claim.tier)!;
      return { tier, claim, receipts, units: receipts.reduce((sum, { units }) => sum + units, 0) };
    });
  }

  /** Resolves with the last entries, after extensions in flight. It has no entry for a ledger that was spent. */
  spend(): MaybePromise<readonly Entry[]> {
    if (this.#isSpent) return [];
    this.#isSpent = true;
    return this.#extensions.size === 0
      ? this.entries()
      : Promise.allSettled(this.#extensions).then(() => this.entries());
  }

  /** Adds the receipts of an extension. */
  async join(answer: MaybePromise<Answer>): Promise<Answer> {
    const joining = Promise.resolve(answer).then((each) => {
      this.#receipts = [...this.#receipts, ...each.receipts];
      return each;
    });
    this.#extensions.add(joining);
    try {
      return await joining;
    } finally {
      this.#extensions.delete(joining);
    }
  }

  /** True for a claim of 0 units that was admitted. During an outage a tier may have decided nothing. */
  #isFree(claim: Claim): boolean {
    const { allowed, outcomes } = this.#decision;
    const isFree = allowed && claim.cost === 0 && isUsedUp(claim) && coveredBy(claim.policy) === undefined;
    return isFree && outcomes.some(({ tier }) => tier === claim.tier);
  }
}

/** A balance that has paid the rest of a cost has one entry with the tier that has paid its first units. */
export function withSharedCosts(entries: readonly Entry[]): readonly Entry[] {
  const payer = entries.find(({ claim, units }) => units > 0 && coveredBy(claim.policy) !== undefined);
  const names = payer && coveredBy(payer.claim.policy);
  const shared = entries.find(({ claim, units }) => units > 0 && names?.includes(claim.tier));
  if (payer === undefined || shared === undefined) return entries;
  const receipts = [...shared.receipts, ...payer.receipts];
  const both = { ...payer, receipts, units: shared.units + payer.units };
  return entries.flatMap((each) => (each === shared ? [] : each === payer ? both : each));
}

/** The units of an entry among those by name: its own, else those of a tier in whose place it has paid. */
export function unitsOfEntry(entry: Entry, units: Readonly<Record<string, number>>): number | undefined {
  const name = namesOf(entry).find((each) => Object.hasOwn(units, each));
  return name === undefined ? undefined : units[name];
}

/** What an entry is about: its tier, and those in whose place it has paid. */
export function namesOf({ claim }: Entry): readonly string[] {
  return [claim.tier, ...(coveredBy(claim.policy) ?? [])];
}
