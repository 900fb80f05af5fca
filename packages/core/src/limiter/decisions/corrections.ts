import { isPromise } from '../../async/deferred.js';
import { channels } from '../../events/channels.js';
import type { Decision } from '../../model/decision.js';
import { undoOf, type Receipt } from '../../model/receipt.js';
import { checkCosts, checkNames } from '../tiers/arguments.js';
import type { TierInfo } from '../claims/claim-set.js';
import type { Claim } from '../../model/claim.js';
import type { Answer } from '../../model/answer.js';
import type { MaybePromise } from '../../async/maybe-promise.js';
import type { LayeredStore } from '../../stores/store.js';
import { answerWithoutStore, needStore } from '../../stores/answer.js';
import { checkExtension, checkGrows, extensionClaims, type Extension } from './extension.js';
import type { Entry, Ledger } from './ledger.js';
import { checkSettlement, refundsOf, settlementOf, type Costs } from './settlement.js';
import { PaidExtension, TieredDecision } from './tiered-decision.js';

interface Corrected {
  /** The limiter of the decisions. */
  readonly limiter: object;
  readonly decider: Pick<LayeredStore, 'refund'>;
  readonly book: {
    /** The tiers that the limiter has. */
    known(): readonly TierInfo[];
    /** It may have others, too. */
    readonly isChosen: boolean;
  };
}

interface LedgerCosts {
  readonly costs: Costs;
  readonly ledger: Ledger;
}

/** What happens to decisions of a limiter after they were made: `Limiter` has the docs. */
export class Corrections {
  readonly #corrected: Corrected;

  constructor(corrected: Corrected) {
    this.#corrected = corrected;
  }

  async refund(decision: Decision, units: Costs = Infinity): Promise<number> {
    const ledger = this.#ledgerOf(decision);
    if (units !== Infinity) this.#checkCosts('refund', 'units', { costs: units, ledger });
    const entries = ledger.spend();
    return giveBack(refundsOf(isPromise(entries) ? await entries : entries, units), this.#corrected.decider);
  }

  async settle(decision: Decision, costs: Costs): Promise<number> {
    const ledger = this.#ledgerOf(decision);
    this.#checkCosts('settle', 'cost', { costs, ledger });
    checkSettlement(ledger.claimSet.tiers, costs);
    const entries = ledger.spend();
    return settleEntries(isPromise(entries) ? await entries : entries, costs, {
      refund: (receipts) => this.#corrected.decider.refund(receipts),
      charge: (claims) => chargeRates(ledger, claims),
    });
  }

  async extend(decision: Decision, units: Extension): Promise<Decision> {
    const ledger = this.#ledgerOf(decision);
    checkExtension(units);
    this.#checkCosts('extend', 'units', { costs: units, ledger });
    checkGrows('extend', decision, ledger, Object.keys(units));
    const claims = extensionClaims(ledger, units);
    const answer = await ledger.join(chargeRates(ledger, claims));
    publishCharge(answer.receipts);
    const { paidBy } = decision;
    const isPaid = paidBy !== undefined && claims.some(({ tier }) => tier === paidBy);
    return isPaid ? new PaidExtension(answer, paidBy) : new TieredDecision(answer);
  }

  async release(decision: Decision): Promise<number> {
    const { limiter, decider } = this.#corrected;
    const units = TieredDecision.unitsOf(decision, limiter);
    return units.length === 0 ? 0 : decider.refund(units);
  }

  /** Takes a request back as if it had never been sent. */
  async undo(decision: Decision): Promise<number> {
    const entries = await this.#ledgerOf(decision).spend();
    return giveBack(undoOf(entries.flatMap(({ receipts }) => receipts)), this.#corrected.decider);
  }

  /** @throws UsageError for names that the tiers of a decision do not have. They may have been replaced since */
  checkTiers(owner: string, names: readonly string[], decision: Decision): void {
    this.#checkNames(owner, names, this.#ledgerOf(decision));
  }

  /** @throws UsageError for a decision of another limiter */
  #ledgerOf(decision: Decision): Ledger {
    return TieredDecision.ledgerOf(decision, this.#corrected.limiter);
  }

  #checkCosts(owner: string, option: string, { costs, ledger }: LedgerCosts): void {
    checkCosts(`${owner}: ${option}`, costs);
    if (typeof costs === 'object') this.#checkNames(owner, Object.keys(costs), ledger);
  }

  #checkNames(owner: string, names: readonly string[], { claimSet }: Ledger): void {
    const { book } = this.#corrected;
    const known = [...new Set([...book.known(), ...claimSet.tiers].map(({ name }) => name))];
    // The others may belong to a plan that has decided no request yet.
    if (book.isChosen && names.some((name) => known.includes(name))) return;
    checkNames(owner, names, known);
  }
}

/** As the plan of the decision does. */
function chargeRates({ claimSet }: Ledger, claims: readonly Claim[]): MaybePromise<Answer> {
  return needStore(claims)
    ? claimSet.plan.chargeRates(claims, { labels: claimSet.labels })
    : answerWithoutStore(claims);
}

/** Takes units of decisions back, and charges more of them. Its subscribers hear of both. */
export interface Till {
  refund(receipts: readonly Receipt[]): MaybePromise<number>;
  charge(claims: readonly Claim[]): MaybePromise<Answer>;
}

/** @returns the units given back */
export async function giveBack(receipts: readonly Receipt[], till: Pick<Till, 'refund'>): Promise<number> {
  if (receipts.length === 0) return 0;
  const given = await till.refund(receipts);
  if (channels.refund.hasSubscribers) channels.refund.publish({ tiers: unitsByTier(receipts), given });
  return given;
}

/** @returns the units charged, less the units refunded */
export async function settleEntries(entries: readonly Entry[], costs: Costs, till: Till): Promise<number> {
  const { refunds, claims } = settlementOf(entries, costs);
  // A closed store throws here: without a promise the rejection of the refund would have no handler.
  const charge = async () => (claims.length === 0 ? [] : (await till.charge(claims)).receipts);
  const [given, receipts] = await Promise.all([giveBack(refunds, till), charge()]);
  publishCharge(receipts);
  return receipts.reduce((sum, { units }) => sum + units, 0) - given;
}

function publishCharge(receipts: readonly Receipt[]): void {
  if (!channels.charge.hasSubscribers || receipts.length === 0) return;
  channels.charge.publish({ tiers: unitsByTier(receipts) });
}

function unitsByTier(receipts: readonly Receipt[]): readonly Pick<Receipt, 'tier' | 'units'>[] {
  return receipts.map(({ tier, units }) => ({ tier, units }));
}
