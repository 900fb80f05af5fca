import { channels } from '../events/channels.js';
import type { Claim } from '../model/claim.js';
import { toDecision, type Decision } from '../model/decision.js';
import { UsageError } from '../model/errors.js';
import { isPromise } from '../async/maybe-promise.js';
import type { MaybePromise } from '../async/maybe-promise.js';
import { chain, chainToPromise } from '../async/chain.js';
import { show } from '../options/option-reader.js';
import type { Outcome } from '../model/outcome.js';
import { compose, defaultStore, type ComposedStore } from '../stores/compose.js';
import type { Policy } from '../model/policy.js';
import type { Answer, Store } from '../stores/store.js';
import type { ClaimSet } from './claims/claim-set.js';
import { ClaimBuilder } from './claims/claim-builder.js';
import { StoreKeys } from './claims/store-keys.js';
import { chargesOf, decisionOf, policiesOf, spend } from './decisions/charged-decision.js';
import { Plans } from './tiers/plans.js';
import { settlementOf, type Costs } from './decisions/settlement.js';
import { checkNames, checkUnits, costOf, type CostOptions, type TierChoice } from './arguments.js';
import type { LimiterOptions } from './limiter-options.js';
import type { TierDefinition } from './tiers/tier-definition.js';
import type { TierDefaults } from './tiers/tier-context.js';
import type { Tier } from './tiers/tier.js';

export interface Inspection {
  readonly outcome: Outcome;
  readonly recorded: readonly string[];
}

/** Tiers and a store. `Limiter` documents its methods. */
export class TieredLimiter<S> {
  /** The store as it was given, or made. */
  readonly #given: Store;
  /** The store with what stands before it. */
  readonly #store: Store;
  readonly #composed: ComposedStore;
  readonly #ownsStore: boolean;
  readonly #claimBuilder: ClaimBuilder<S>;
  readonly #plans: Plans<S>;

  constructor(options: LimiterOptions<S>, given: TierDefaults<S>) {
    const { store = defaultStore(), partition, prefix = 'rl', secret, ...others } = options;
    const { onStoreFailure, share, denyCache = true, ...rest } = others;
    const defaults = { ...given, onStoreFailure, share };
    this.#ownsStore = options.store === undefined;
    this.#given = store;
    this.#composed = compose(store);
    this.#store = denyCache ? this.#composed.cached : this.#composed.uncached;
    // With a partition a key is made anew for each request.
    this.#claimBuilder = new ClaimBuilder(
      new StoreKeys(prefix, secret, { forgets: partition === undefined }),
      partition,
    );
    const tiers = 'tiers' in rest ? rest.tiers : [rest as Tier<S>];
    this.#plans = new Plans(tiers, { store, ownStore: this.#ownsStore, prefix, defaults });
  }

  consume(subject: S, options?: CostOptions): MaybePromise<Decision> {
    return this.#decide('consume', subject, options);
  }

  peek(subject: S, options?: CostOptions): MaybePromise<Decision> {
    return this.#decide('peek', subject, options);
  }

  async refund(decision: Decision, units: Costs = Infinity): Promise<number> {
    const { receipts } = chargesOf(this, decision);
    if (units !== Infinity) this.#checkCosts('refund', 'units', units, decision);
    spend(decision);
    const most = (tier: string) => (typeof units === 'number' ? units : Object.hasOwn(units, tier) ? units[tier]! : 0);
    const given = receipts.map((receipt) => ({ ...receipt, units: Math.min(most(receipt.tier), receipt.units) }));
    return given.length === 0 ? 0 : this.#store.refund(given);
  }

  async settle(decision: Decision, costs: Costs): Promise<number> {
    const charges = chargesOf(this, decision);
    this.#checkCosts('settle', 'cost', costs, decision);
    const { less, more } = settlementOf(decision, charges, costs);
    spend(decision);
    const [given, charged] = await Promise.all([
      less.length > 0 ? this.#store.refund(less) : 0,
      chain(this.#ask('consume', more), ({ receipts }) => receipts.reduce((sum, { units }) => sum + units, 0)),
    ]);
    return charged - given;
  }

  async reset(subject: Partial<S>, options?: TierChoice): Promise<void> {
    const tiers = await this.#choose('reset', subject, options);
    await this.#store.reset(await this.#claimBuilder.keys(tiers, subject as S));
  }

  async inspect(subject: Partial<S>, options?: TierChoice): Promise<readonly Inspection[]> {
    const chosen = await this.#choose('inspect', subject, options);
    const asked = await this.#claimBuilder.buildUnit(chosen, subject as S);
    const { asks, claims } = asked;
    // Whoever looks wants to know what is there, and not what is thought in the meantime.
    const answer = claims.length === 0 ? NOTHING_ASKED : await this.#given.peek(claims);
    const outcomes = asked.outcomes(answer);
    const recorded = await Promise.all(asks.map(({ claim }) => (claim ? this.#given.inspect(claim.key) : [])));
    return outcomes.map((outcome, index) => ({ outcome, recorded: recorded[index]! }));
  }

  policies(decision: Decision): readonly Policy[] {
    return policiesOf(this, decision);
  }

  async close(): Promise<void> {
    await this.#composed.release();
    if (this.#ownsStore) await this.#given.close();
  }

  #decide(verb: 'consume' | 'peek', subject: S, options: CostOptions | undefined): MaybePromise<Decision> {
    try {
      const cost = costOf(options);
      const tiers = this.#plans.tiersFor(subject);
      const asked =
        tiers instanceof Promise
          ? tiers.then((each) => this.#claimBuilder.ask(each, subject, cost))
          : this.#claimBuilder.ask(tiers, subject, cost);
      return asked instanceof Promise ? asked.then((each) => this.#answer(verb, each)) : this.#answer(verb, asked);
    } catch (error) {
      // Whoever awaits has one way of being told.
      return Promise.reject(error);
    }
  }

  #answer(verb: 'consume' | 'peek', asked: ClaimSet): MaybePromise<Decision> {
    const { claims, isRefused } = asked;
    if (verb === 'peek') {
      return chainToPromise(this.#ask('peek', claims), (answer) =>
        toDecision(asked.outcomes(answer), answer.source, answer.fallback),
      );
    }
    const answer = isRefused ? this.#refuse(claims) : this.#ask('consume', claims);
    return isPromise(answer)
      ? chainToPromise(answer, (each) => this.#decided(asked, each))
      : this.#decided(asked, answer);
  }

  #decided(asked: ClaimSet, answer: Answer): Decision {
    const decision = decisionOf(this, asked, answer);
    if (channels.decision.hasSubscribers) channels.decision.publish({ decision });
    return decision;
  }

  /**
   * The request is denied by a limit of 0, of which no store knows: what counts denied requests counts it, and as it is
   * not admitted, nothing is recorded.
   */
  #refuse(claims: readonly Claim[]): MaybePromise<Answer> {
    const counted = claims.filter((claim) => claim.countDenied).map((claim) => ({ ...claim, record: undefined }));
    // Both at once, for a request waits once; a store answers in the order in which it is asked.
    const charging = this.#ask('consume', counted);
    return chain(both(charging, this.#ask('peek', claims)), ([charged, peeked]) => ({
      ...peeked,
      outcomes: peeked.outcomes.map((outcome) => charged.outcomes.find(({ tier }) => tier === outcome.tier) ?? outcome),
      receipts: charged.receipts,
    }));
  }

  async #choose(
    owner: string,
    subject: Partial<S>,
    { tiers: names }: TierChoice = {},
  ): Promise<readonly TierDefinition<S>[]> {
    const tiers = await this.#plans.tiersFor(subject as S);
    if (names === undefined) return tiers;
    if (!Array.isArray(names))
      throw new UsageError('USAGE_INVALID', `${owner}: tiers must be an array, got ${show(names)}`);
    checkNames(
      owner,
      names,
      tiers.map((tier) => tier.name),
    );
    return tiers.filter((tier) => names.includes(tier.name));
  }

  #checkCosts(owner: string, name: string, costs: Costs, { outcomes }: Decision): void {
    const named = typeof costs === 'object' && costs !== null;
    for (const each of named ? Object.values(costs) : [costs]) checkUnits(`${owner}: ${name}`, each);
    if (!named) return;
    const names = Object.keys(costs);
    // Tiers of other plans may be named, beside some of this decision: a name that is misspelt would settle nothing.
    const others = this.#plans.names ?? (names.some((each) => outcomes.some(({ tier }) => tier === each)) ? names : []);
    checkNames(owner, names, [...new Set([...others, ...outcomes.map(({ tier }) => tier)])]);
  }

  #ask(verb: 'consume' | 'peek', claims: readonly Claim[]): MaybePromise<Answer> {
    if (claims.length === 0) return NOTHING_ASKED;
    return verb === 'peek' ? this.#store.peek(claims) : this.#store.consume(claims);
  }
}

const NOTHING_ASKED: Answer = { outcomes: [], receipts: [], source: 'none' };

function both<T>(one: MaybePromise<T>, other: MaybePromise<T>): MaybePromise<readonly [T, T]> {
  return isPromise(one) || isPromise(other) ? Promise.all([one, other]) : [one, other];
}
