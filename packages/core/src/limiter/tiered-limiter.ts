import { chain, chainToPromise, isPromise } from '../async/deferred.js';
import type { MaybePromise } from '../async/maybe-promise.js';
import { channels } from '../events/channels.js';
import { traces } from '../events/traces.js';
import type { Budgets } from '../model/budgets.js';
import type { Claim } from '../model/claim.js';
import type { Decision } from '../model/decision.js';
import type { Duration } from '../model/duration.js';
import type { IdentityDigest } from '../model/identity-digest.js';
import type { IdentityOptions, InspectOptions, Key, TierChoice } from '../model/identity.js';
import { StoreError } from '../model/errors.js';
import type { Inspection } from '../model/inspection.js';
import type { Overrides } from '../model/override.js';
import type { Policy } from '../model/policy.js';
import { undoOf, type Receipt } from '../model/receipt.js';
import type { StopSignal } from '../model/stop-signal.js';
import { checkCallOptions } from '../options/call-options.js';
import { DEFAULT_PREFIX } from '../stores/keyspace.js';
import { compose, defaultStore, type ComposedStore, type WrappedStore } from '../stores/compose.js';
import { registerLimiter, type LimiterView, type TierView } from '../stores/limiters-of.js';
import type { Answer, Store } from '../stores/store.js';
import { Lines } from '../waiting/lines.js';
import { checkCosts, checkNames, costOf, signalOf, type ConsumeOptions, type CostOptions } from './arguments.js';
import { credit, reconcile, type CreditOptions, type ReconcileOptions } from './balances.js';
import { ClaimBuilder, type Claims } from './claims/claim-builder.js';
import { compile, type Plan } from './compile.js';
import { digestOf, identityText } from './claims/store-keys.js';
import { denialBeside, withPatience, withZeroLimits, type ClaimSet, type PlannedClaims } from './claims/claim-set.js';
import {
  checkExtension,
  checkGrows,
  extensionClaims,
  zeroLimitDenials,
  type Extension,
} from './decisions/extension.js';
import { budgetsOf, inspect, reset, type Inspected } from './inspect.js';
import { isPause, pauseOf, pauseTiers } from './pause.js';
import { decideInForce } from './overrides/decide-in-force.js';
import { OverriddenClaims } from './overrides/overridden-claims.js';
import { OverrideTable } from './overrides/override-table.js';
import type { OverrideContext } from './overrides/read-override.js';
import { prepareTiers, type PreparedTiers } from './prepared-tiers.js';
import { run, type Ran, type Runner, type RunOptions } from './run.js';
import type { Ledger } from './decisions/ledger.js';
import { LotMeter, meteredTiers, type Meter, type MeterOptions } from './decisions/meter.js';
import { checkSettlement, refundsOf, settlementOf, type Costs } from './decisions/settlement.js';
import { TieredDecision } from './decisions/tiered-decision.js';
import { endTrace, startTrace, withTrace } from './consume-trace.js';
import type { LimiterContext, LimiterOptions } from './limiter-options.js';
import { LimiterPerRequestCheck } from './limiter-per-request-check.js';
import { tiersByName } from './tiers/tiers-by-name.js';
import { Plans } from './tiers/plans.js';
import type { TierDefinition } from './tiers/tier-definition.js';
import type { TierContext } from './tiers/tier-context.js';
import { releaseTierNames } from './tiers/tier-name-registry.js';
import { defineTiers } from './tiers/define-tiers.js';
import type { Tier } from './tiers/tier.js';

const NO_CLAIMS: Answer = { outcomes: [], receipts: [], source: 'none' };

interface LedgerCosts {
  readonly costs: Costs;
  readonly ledger: Ledger;
}

/** Implements `Limiter`, which has the docs. */
export class TieredLimiter<S> {
  /** The store of the options, or one of this limiter alone. */
  readonly #store: Store;
  readonly #hasOwnStore: boolean;
  readonly #context: TierContext<S>;
  readonly #prefix: string;
  readonly #composed: ComposedStore;
  /** The store behind caches and fallback. */
  readonly #decider: WrappedStore;
  /** Of all subjects. Undefined where a function chooses the tiers. */
  #plan: Plan<S> | undefined;
  /** Of the tiers that a function has chosen. */
  #compiled = new WeakMap<readonly TierDefinition<S>[], Plan<S>>();
  readonly #plans: Plans<S> | undefined;
  readonly #claimBuilder: ClaimBuilder<S>;
  /** The same until a tier has an override. */
  #claims: Claims<S>;
  #overrides: OverrideTable | undefined;
  /** Work that waits in this process. */
  readonly #lines = new Lines<Decision>(({ allowed }) => allowed);
  /**
   * A closure for each check takes longer than the rest of `consume`. It is another one while a tier has an override.
   */
  #chargeBound = (claimSet: PlannedClaims) => this.#charge(claimSet);
  /** Undefined when it is over, soon after the start. */
  #perRequestCheck: LimiterPerRequestCheck | undefined = new LimiterPerRequestCheck();

  constructor(options: LimiterOptions<S>, { owner, key, cost }: LimiterContext<S>) {
    const { store = defaultStore(), partition, prefix = DEFAULT_PREFIX, secret, ...others } = options;
    const { onStoreFailure, share, denyCache = true, ...rest } = others;
    const hasOwnStore = options.store === undefined;
    const tiers = 'tiers' in rest ? rest.tiers : [rest as Tier<S>];
    const defaults = { key, cost, onStoreFailure, share };
    const isPartitioned = partition !== undefined;
    const context = { owner, store, hasOwnStore, isPartitioned, prefix, secret, defaults };
    this.#context = context;
    this.#store = store;
    this.#hasOwnStore = hasOwnStore;
    this.#composed = compose(store);
    this.#decider = denyCache ? this.#composed.cached : this.#composed.uncached;
    this.#claimBuilder = new ClaimBuilder(owner, partition);
    this.#claims = this.#claimBuilder;
    if (typeof tiers === 'function') {
      this.#plans = new Plans(tiers, context, { peek: (...each) => this.#peekBy(...each), plans: options.plans });
    } else this.#plan = this.#compile(defineTiers(tiers, context));
    this.#prefix = prefix;
    registerLimiter(store, this);
  }

  consume(subject: S, options?: ConsumeOptions): MaybePromise<Decision> {
    if (this.#perRequestCheck !== undefined && !this.#perRequestCheck.isPending()) this.#perRequestCheck = undefined;
    if (traces.consume.start.hasSubscribers || options?.signal !== undefined) return this.#consumeIn(subject, options);
    return this.#decide(subject, options, this.#chargeBound);
  }

  peek(subject: S, options?: CostOptions): MaybePromise<Decision> {
    return this.#decide(subject, options, (claimSet) =>
      chainToPromise(this.#peekInForce(claimSet), (answer) => new TieredDecision(answer)),
    );
  }

  #peekBy(tiers: readonly TierDefinition<S>[], subject: S): MaybePromise<Decision> {
    const claimSet = this.#claims.build(this.#planOf(tiers), subject, 1);
    const decided = chain(claimSet, (each) => this.#peekInForce(each));
    return chain(decided, (answer) => new TieredDecision(answer));
  }

  async refund(decision: Decision, units: Costs = Infinity): Promise<number> {
    const ledger = TieredDecision.ledgerOf(decision, this);
    if (units !== Infinity) this.#checkCosts('refund', 'units', { costs: units, ledger });
    const entries = ledger.spend();
    return this.#refund(refundsOf(isPromise(entries) ? await entries : entries, units));
  }

  async settle(decision: Decision, costs: Costs): Promise<number> {
    const ledger = TieredDecision.ledgerOf(decision, this);
    this.#checkCosts('settle', 'cost', { costs, ledger });
    checkSettlement(ledger, costs);
    const entries = ledger.spend();
    const { refunds, claims } = settlementOf(isPromise(entries) ? await entries : entries, costs);
    // A closed store throws here: without a promise the rejection of the refund would have no handler.
    const charge = async () => this.#chargeRates(claims);
    const [given, { receipts }] = await Promise.all([this.#refund(refunds), charge()]);
    publishCharge(receipts);
    return receipts.reduce((sum, { units }) => sum + units, 0) - given;
  }

  async extend(decision: Decision, units: Extension): Promise<Decision> {
    const ledger = TieredDecision.ledgerOf(decision, this);
    checkExtension(units);
    this.#checkCosts('extend', 'units', { costs: units, ledger });
    checkGrows('extend', decision, ledger, Object.keys(units));
    const outcomes = zeroLimitDenials(ledger.claimSet, units);
    if (outcomes.length > 0) return new TieredDecision({ ...NO_CLAIMS, outcomes });
    const answer = await ledger.join(this.#chargeRates(extensionClaims(ledger, units)));
    publishCharge(answer.receipts);
    return new TieredDecision(answer);
  }

  meter(decision: Decision, options: MeterOptions): Meter {
    this.#checkNames('meter', meteredTiers(options), TieredDecision.ledgerOf(decision, this));
    return new LotMeter(this, decision, options);
  }

  async release(decision: Decision): Promise<number> {
    const units = TieredDecision.unitsOf(decision, this);
    return units.length === 0 ? 0 : this.#decider.refund(units);
  }

  run<T>(
    subject: S,
    work: (signal: StopSignal | undefined) => Promise<T> | T,
    options?: RunOptions<T>,
  ): Promise<Ran<T>> {
    return run(this.#runner(), subject, work, options);
  }

  async pause(subject: Partial<S>, duration: Duration, options?: TierChoice): Promise<void> {
    const { fallback } = await this.#pause(subject, pauseOf(duration, 'pause'), options);
    if (fallback === undefined) return;
    const effect = fallback === 'local' ? 'only this process obeys' : 'nothing is paused';
    const rule = `the store is unavailable, so ${effect} until it answers: it hears of the pause then`;
    throw new StoreError('STORE_UNAVAILABLE', `pause: ${rule}`);
  }

  async #pause(subject: Partial<S>, milliseconds: number, options?: TierChoice): Promise<Answer> {
    checkCallOptions('pause', options, ['tiers']);
    const named = tiersByName('pause', await this.#tiersFor(subject as S), options?.tiers);
    const tiers = pauseTiers(named);
    const { claims } = await this.#claimBuilder.buildUnits(tiers, subject as S);
    return this.#decider.consume(claims.map((claim) => ({ ...claim, cost: milliseconds, charge: 'all' })));
  }

  credit(subject: Partial<S>, units: number, options: CreditOptions): Promise<number> {
    return credit(this.#inspected(), subject, units, options);
  }

  reconcile(subject: Partial<S>, units: number, options?: ReconcileOptions): Promise<number> {
    return reconcile(this.#inspected(), subject, units, options);
  }

  reset(subject: Partial<S>, options?: TierChoice): Promise<void> {
    return reset(this.#inspected(), subject, options);
  }

  inspect(subject: Partial<S>, options?: InspectOptions): Promise<readonly Inspection[]> {
    return inspect(this.#inspected(), subject, options);
  }

  of(identity: Key | IdentityDigest, options?: IdentityOptions): Budgets {
    return budgetsOf(this.#inspected(), identity, options);
  }

  policies(decision: Decision): readonly Policy[] {
    return TieredDecision.policiesOf(decision, this);
  }

  prepare(tiers: readonly Tier<S>[]): PreparedTiers {
    return prepareTiers(tiers, {
      context: this.#context,
      plan: this.#plan,
      compile: (defined) => this.#compile(defined),
      put: (plan) => {
        this.#plan = plan;
      },
    });
  }

  get overrides(): Overrides {
    this.#overrides ??= new OverrideTable({
      context: () => this.#overrideContext(),
      onTiers: () => this.#compileAgain(),
    });
    return this.#overrides;
  }

  /** True if a request may wait, so that its client may leave before it is decided. */
  mayWait(): boolean {
    return this.#plan?.mayWait ?? this.#compile(this.#known()).mayWait;
  }

  /** True if a request may have units that come back when it ends. */
  get mayHold(): boolean {
    return this.#plan?.mayHold ?? true;
  }

  get isOfSignIns(): boolean {
    return this.#plans?.isOfSignIns ?? false;
  }

  /** For `limitersOf`. */
  view(): LimiterView {
    const overrides = () => this.overrides;
    return {
      prefix: this.#prefix,
      tiers: this.#known().map((tier) => this.#viewOf(tier)),
      isPartitioned: this.#claimBuilder.isPartitioned,
      isKeyed: this.#context.secret !== undefined,
      hasOtherTiers: this.#plans?.isOpen === true,
      digestOf: (identity) => digestOf(identityText(identity), this.#context.secret),
      of: (identity, options) => this.of(identity, options),
      // Made by what reads it: most limiters have none.
      get overrides() {
        return overrides();
      },
    };
  }

  async close(): Promise<void> {
    // All that waits in a store of its own is denied.
    await (this.#hasOwnStore ? this.#decider.close() : this.#composed.release(this));
    releaseTierNames(this.#context);
  }

  #runner(): Runner<S> {
    return {
      consume: (subject, options, wait) => this.#consumeIn(subject, options, wait),
      peek: (subject, options) => this.peek(subject, options),
      settle: (decision, cost) => this.settle(decision, cost),
      undo: (decision) => this.#undo(decision),
      release: (decision) => this.release(decision),
      lineOf: async (subject) => {
        const tiers = await this.#tiersFor(subject);
        const keys = await this.#claimBuilder.storeKeys(tiers, subject);
        // Each denied check is charged, so that checks are sent one by one.
        const chargesDenied = tiers.some(({ charge }) => charge !== 'admitted');
        return { key: keys.join('\n'), most: chargesDenied ? 1 : Infinity };
      },
      coolDown: async (subject, milliseconds) => {
        if (!(await this.#tiersFor(subject)).some(isPause)) return false;
        const { fallback } = await this.#pause(subject, milliseconds);
        return fallback === undefined || fallback === 'local';
      },
      lines: this.#lines,
    };
  }

  /** Consumes within a trace, until a signal. @param wait in milliseconds. @default that of the tiers */
  #consumeIn(subject: S, options: ConsumeOptions | undefined, wait?: number): MaybePromise<Decision> {
    const trace = traces.consume.start.hasSubscribers ? startTrace() : undefined;
    const decision = this.#decide(subject, options, (claimSet) => {
      const traced = trace === undefined ? claimSet : withTrace(claimSet, trace);
      return this.#chargeBound(withPatience(traced, options && signalOf(options), wait));
    });
    return trace === undefined ? decision : endTrace(trace, decision);
  }

  #decide(
    subject: S,
    options: CostOptions | undefined,
    decide: (claimSet: PlannedClaims) => MaybePromise<Decision>,
  ): MaybePromise<Decision> {
    try {
      const claimSet = this.#claimsOf(subject, options === undefined ? 1 : costOf(options));
      return isPromise(claimSet) ? claimSet.then(decide) : decide(claimSet);
    } catch (error) {
      // Callers handle rejections: an error that is thrown would escape them.
      return Promise.reject(error);
    }
  }

  #claimsOf(subject: S, cost: number): MaybePromise<PlannedClaims> {
    if (this.#plan !== undefined) return this.#claims.build(this.#plan, subject, cost);
    const tiers = this.#plans!.tiersFor(subject);
    return chain(tiers, (each) => this.#claims.build(this.#planOf(each), subject, cost));
  }

  #compile(tiers: readonly TierDefinition<S>[]): Plan<S> {
    const { isPartitioned } = this.#claimBuilder;
    const own = (receipts: readonly Receipt[]) => this.#composed.assign(receipts, this);
    const { uncached } = this.#composed;
    return compile(tiers, { decider: this.#decider, uncached, own, isPartitioned, overrides: this.#overrides });
  }

  /** After the first override of a tier has come, or the last one has gone. */
  #compileAgain(): void {
    const table = this.#overrides!;
    this.#claims = table.isEmpty ? this.#claimBuilder : new OverriddenClaims(this.#claimBuilder, table);
    this.#chargeBound = table.isEmpty
      ? (claimSet) => this.#charge(claimSet)
      : (claimSet) => this.#chargeInForce(claimSet);
    this.#compiled = new WeakMap();
    if (this.#plan !== undefined) this.#plan = this.#compile(this.#plan.tiers);
  }

  #planOf(tiers: readonly TierDefinition<S>[]): Plan<S> {
    const known = this.#compiled.get(tiers);
    if (known) return known;
    const plan = this.#compile(tiers);
    this.#compiled.set(tiers, plan);
    return plan;
  }

  #tiersFor(subject: S): MaybePromise<readonly TierDefinition<S>[]> {
    return this.#plan?.tiers ?? this.#plans!.tiersFor(subject);
  }

  #charge(claimSet: PlannedClaims): MaybePromise<Decision> {
    const { claims, zeroLimits, plan } = claimSet;
    if (zeroLimits !== undefined || claims.length === 0) return this.#chargeFew(claimSet);
    const answer = plan.consume(claims);
    // A memory store answers immediately, and then a direct call is faster than a callback.
    return isPromise(answer)
      ? chainToPromise(answer, (each) => this.#decided(claimSet, each))
      : this.#decided(claimSet, answer);
  }

  /** Decides by the overrides that are in force at the time of the store. */
  #chargeInForce(claimSet: PlannedClaims): MaybePromise<Decision> {
    if (claimSet.overridden === undefined) return this.#charge(claimSet);
    const decided = decideInForce(claimSet, {
      store: this.#store,
      decide: (each) => this.#answerTo(each),
      undo: (receipts) => this.#decider.refund(receipts),
    });
    return chainToPromise(decided, (each) => this.#decided(each.claimSet, each.answer));
  }

  #answerTo(claimSet: PlannedClaims): MaybePromise<Answer> {
    const { claims, zeroLimits, plan } = claimSet;
    if (zeroLimits !== undefined) return this.#chargeBesideZeroLimits(claimSet);
    return claims.length === 0 ? NO_CLAIMS : plan.consume(claims);
  }

  /** Of a request with limits of 0, or without a tier that applies. */
  #chargeFew(claimSet: PlannedClaims): MaybePromise<Decision> {
    return chainToPromise(this.#answerTo(claimSet), (each) => this.#decided(claimSet, each));
  }

  #decided(claimSet: PlannedClaims, answer: Answer): Decision {
    const decision = new TieredDecision(answer, this, claimSet);
    if (channels.decision.hasSubscribers) channels.decision.publish({ decision });
    return decision;
  }

  #chargeBesideZeroLimits(claimSet: PlannedClaims): MaybePromise<Answer> {
    const { claims, zeroLimits, plan } = claimSet;
    const isDenied = zeroLimits!.some(({ allowed, shadow }) => !allowed && !shadow);
    const admit = () => (claims.length === 0 ? NO_CLAIMS : plan.consume(claims));
    const answer = isDenied ? this.#chargeDenied(claims) : admit();
    return chain(answer, (each) => withZeroLimits(each, claimSet));
  }

  /** Charges the tiers that charge denied requests, and reads the others. */
  #chargeDenied(claims: readonly Claim[]): MaybePromise<Answer> {
    const charging = claims.filter(({ charge }) => charge !== 'admitted');
    const others = claims.filter(({ charge }) => charge === 'admitted');
    const charged = this.#chargeRates(charging.flatMap((claim) => [claim, denialBeside(claim)]));
    const peeked = others.length === 0 ? NO_CLAIMS : this.#decider.peek(others);
    const merge = (one: Answer, other: Answer): Answer => ({
      ...other,
      ...(charging.length > 0 && one),
      outcomes: [...one.outcomes, ...other.outcomes],
      receipts: one.receipts,
    });
    // Sent together, for one wait.
    return isPromise(charged) || isPromise(peeked)
      ? Promise.all([charged, peeked]).then(([one, other]) => merge(one, other))
      : merge(charged, peeked);
  }

  async #undo(decision: Decision): Promise<number> {
    const entries = await TieredDecision.ledgerOf(decision, this).spend();
    return this.#refund(undoOf(entries.flatMap(({ receipts }) => receipts)));
  }

  async #refund(receipts: readonly Receipt[]): Promise<number> {
    if (receipts.length === 0) return 0;
    const given = await this.#decider.refund(receipts);
    if (channels.refund.hasSubscribers) {
      channels.refund.publish({ tiers: receipts.map(({ tier, units }) => ({ tier, units })), given });
    }
    return given;
  }

  /** Of tiers that requests use up, or that charge denied ones: all of these are rates. */
  #chargeRates(claims: readonly Claim[]): MaybePromise<Answer> {
    return claims.length === 0 ? NO_CLAIMS : this.#decider.chargeRates(claims);
  }

  #peek(store: Store, claimSet: ClaimSet): MaybePromise<Answer> {
    const answer = claimSet.claims.length === 0 ? NO_CLAIMS : store.peek(claimSet.claims);
    return claimSet.zeroLimits ? chain(answer, (each) => withZeroLimits(each, claimSet)) : answer;
  }

  #peekInForce(claimSet: ClaimSet): MaybePromise<Answer> {
    const decide = (each: ClaimSet) => this.#peek(this.#decider, each);
    if (claimSet.overridden === undefined) return decide(claimSet);
    // A peek has charged nothing.
    const undo = () => 0;
    return chain(decideInForce(claimSet, { store: this.#store, decide, undo }), ({ answer }) => answer);
  }

  #inspected(): Inspected<S> {
    return {
      store: this.#store,
      decider: this.#decider,
      claimBuilder: this.#claimBuilder,
      claims: this.#claims,
      tiersFor: (subject) => this.#tiersFor(subject),
      known: () => this.#known(),
      tierAt: (tier, limit) => this.#plans?.tierAt(tier, limit) ?? tier,
    };
  }

  #checkCosts(owner: string, option: string, { costs, ledger }: LedgerCosts): void {
    checkCosts(`${owner}: ${option}`, costs);
    if (typeof costs === 'object') this.#checkNames(owner, Object.keys(costs), ledger);
  }

  /** The tiers of a decision may have been replaced since. */
  #checkNames(owner: string, names: readonly string[], { claimSet }: Ledger): void {
    const known = [...new Set([...this.#known(), ...claimSet.tiers].map(({ name }) => name))];
    // The others may belong to a plan that has decided no request yet.
    if (this.#plans && names.some((name) => known.includes(name))) return;
    checkNames(owner, names, known);
  }

  /** Of plans the tiers that the options list, or that have decided a request. */
  #known(): readonly TierDefinition<S>[] {
    return this.#plan?.tiers ?? this.#plans!.tiers();
  }

  #overrideContext(): OverrideContext {
    const { isPartitioned } = this.#claimBuilder;
    const hasOtherTiers = this.#plans?.isOpen === true;
    return { isPartitioned, secret: this.#context.secret, tiers: this.#known(), hasOtherTiers };
  }

  #viewOf({ name, shadow, policy, limit }: TierDefinition<S>): TierView {
    const isByRequest = typeof limit === 'function' || this.#plans?.isVaried(name) === true;
    return { name, shadow, policy, limit: isByRequest ? 'by-request' : policy.limit };
  }
}

function publishCharge(receipts: readonly Receipt[]): void {
  if (!channels.charge.hasSubscribers || receipts.length === 0) return;
  channels.charge.publish({ tiers: receipts.map(({ tier, units }) => ({ tier, units })) });
}

/** True for a limiter whose requests may wait before they are decided. */
export function mayWait(limiter: object): boolean {
  return limiter instanceof TieredLimiter && limiter.mayWait();
}

/** False for a limiter whose requests never have units that come back when they end, nor wait for such units. */
export function mayHold(limiter: object): boolean {
  return !(limiter instanceof TieredLimiter) || limiter.mayHold;
}

/** True for a limiter with `loginTiers`. */
export function isOfSignIns(limiter: object): boolean {
  return limiter instanceof TieredLimiter && limiter.isOfSignIns;
}
