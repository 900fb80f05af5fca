import type { Claim } from '../../model/claim.js';
import { endsWithRequest, type Receipt } from '../../model/receipt.js';
import type { Charge } from '../../stores/layer.js';
import type { AbleStore, LayeredStore } from '../../stores/store.js';
import { keyShape } from '../keys/store-keys.js';
import { checkCosts, checkNames } from '../tiers/arguments.js';
import type { TierDefinition } from '../tiers/tier-definition.js';
import type { CarriedCharge } from './carried-charge.js';
import { giveBack, settleEntries } from './corrections.js';
import { namesOf, withSharedCosts, type Entry } from './ledger.js';
import { checkSettlement, refundsOf, type Costs } from './settlement.js';

/** What a limiter of this process corrects decisions of others by. */
interface Corrected {
  /** Without layers: permits of other processes are in no table of this one. */
  readonly store: AbleStore;
  readonly decider: Pick<LayeredStore, 'refund'>;
  readonly book: {
    known(): readonly TierDefinition<never>[];
    readonly fixed: { readonly chargeRates: Charge } | undefined;
  };
}

/**
 * Corrects decisions of any process by their charges, as `Limiter` does with its own. A tier that has got another algorithm or
 * window since then counts anew, so that its charge is left out. Who calls it makes sure that each decision is refunded or
 * settled once.
 *
 * @example
 * const corrections = new CarriedCorrections(limiterBehind('refund', limiter).requests);
 * await corrections.refund(charges);
 */
export class CarriedCorrections {
  readonly #corrected: Corrected;

  constructor(corrected: Corrected) {
    this.#corrected = corrected;
  }

  /** @param units the most to give back, of each tier or of the tiers by name. @returns the units given back */
  async refund(charges: readonly CarriedCharge[], units: Costs = Infinity): Promise<number> {
    if (units !== Infinity) this.check('refund: units', units, charges);
    return giveBack(refundsOf(this.#entries(charges), units), { refund: (receipts) => this.#refund(receipts) });
  }

  /** @returns the units charged, less the units refunded */
  async settle(charges: readonly CarriedCharge[], costs: Costs): Promise<number> {
    this.check('settle: cost', costs, charges);
    const charge = (claims: readonly Claim[]) => this.#corrected.book.fixed!.chargeRates(claims);
    return settleEntries(this.#entries(charges), costs, { refund: (receipts) => this.#refund(receipts), charge });
  }

  /** Ends permits. Again it gives 0. @returns the units released */
  async release(charges: readonly CarriedCharge[]): Promise<number> {
    const permits = this.#permits(charges);
    return permits.length === 0 ? 0 : this.#corrected.store.refund(permits);
  }

  /**
   * Lets permits count for another `hold`, also those that count no longer. @returns the units that others could have been
   * given in the meantime; undefined for charges without a permit
   */
  async renew(charges: readonly CarriedCharge[]): Promise<number | undefined> {
    const permits = this.#permits(charges);
    if (permits.length === 0) return undefined;
    const results = await this.#corrected.store.renew!(permits);
    const failed = results.find((each) => each instanceof Error);
    if (failed !== undefined) throw failed;
    return (results as readonly number[]).reduce((sum, units) => sum + units, 0);
  }

  /** @throws UsageError for units that are no whole numbers, and for tiers that these charges do not have */
  check(owner: string, costs: Costs, charges: readonly CarriedCharge[]): void {
    checkCosts(owner, costs);
    if (typeof costs === 'object') {
      const known = [...charges.map(({ tier }) => tier), ...this.#entries(charges).flatMap(namesOf)];
      checkNames(owner, Object.keys(costs), [...new Set(known)]);
      return;
    }
    if (!owner.startsWith('settle')) return;
    checkSettlement(
      this.#entries(charges).map(({ tier }) => tier),
      costs,
    );
  }

  #entries(charges: readonly CarriedCharge[]): readonly Entry[] {
    const known = this.#corrected.book.known();
    const entries = charges.flatMap((charge) => {
      const tier = known.find(({ name }) => name === charge.tier);
      return tier === undefined ? [] : entryOf(tier, charge);
    });
    return withSharedCosts(entries);
  }

  #permits(charges: readonly CarriedCharge[]): readonly Receipt[] {
    return this.#entries(charges).flatMap(({ receipts }) => receipts.filter(endsWithRequest));
  }

  async #refund(receipts: readonly Receipt[]): Promise<number> {
    const { store, decider } = this.#corrected;
    const permits = receipts.filter(endsWithRequest);
    const others = receipts.filter((receipt) => !endsWithRequest(receipt));
    const [released, refunded] = await Promise.all([
      permits.length > 0 ? store.refund(permits) : 0,
      others.length > 0 ? decider.refund(others) : 0,
    ]);
    return released + refunded;
  }
}

/** Empty for a tier that counts under other keys by now: nothing reads those of the charge any more. */
function entryOf(tier: TierDefinition<never>, { key, limit, cost, receipts }: CarriedCharge): readonly Entry[] {
  if (!key.startsWith(`${tier.storeKeys.prefix}:`) || tier.mistakeIn(limit) !== undefined) return [];
  const policy = limit === tier.policy.limit ? tier.policy : tier.policyAt(limit);
  if (!key.endsWith(`:${tier.name}:${keyShape(policy)}`)) return [];
  const claim = { tier: tier.name, key, policy, cost, shadow: tier.shadow, record: undefined, terms: tier };
  const whole = receipts.map((receipt): Receipt => ({ ...receipt, tier: tier.name, key, policy }));
  return [{ tier, claim, receipts: whole, units: whole.reduce((sum, { units }) => sum + units, 0) }];
}
