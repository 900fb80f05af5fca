import { chain, chainToPromise, isPromise } from '../async/deferred.js';
import type { MaybePromise } from '../async/maybe-promise.js';
import { PerRequestCheck } from '../events/per-request-check.js';
import { traces } from '../events/traces.js';
import type { Budgets, Inspection } from '../model/inspection.js';
import type { Decision } from '../model/decision.js';
import type { Duration } from '../model/duration.js';
import type { Holder } from '../model/holder.js';
import type { IdentityDigest } from '../model/identity-digest.js';
import type { IdentityOptions, InspectOptions, Key, TierChoice } from '../model/identity.js';
import type { Policy } from '../model/policy.js';
import { compose } from '../stores/composed/compose.js';
import { DEFAULT_PREFIX } from '../stores/keyspace.js';
import { registerLimiter, type NamedTier } from '../stores/limiters-of.js';
import { memoryStore } from '../stores/memory/memory-store.js';
import { Lines } from '../waiting/lines.js';
import { broughtBy, costOf, isSpecial, signalOf, type ConsumeOptions, type CostOptions } from './tiers/arguments.js';
import { ClaimBuilder } from './claims/claim-builder.js';
import type { ClaimChange } from './claims/claim-change.js';
import type { PlannedClaims } from './claims/claim-set.js';
import { digestOf } from './keys/store-keys.js';
import { endTrace, startTrace } from './consume-trace.js';
import { Corrections } from './decisions/corrections.js';
import type { Extension } from './decisions/extension.js';
import { LotMeter, meteredTiers, type Meter, type MeterOptions } from './decisions/meter.js';
import type { Costs } from './decisions/settlement.js';
import { TieredDecision } from './decisions/tiered-decision.js';
import { budgetsOf, inspect, reset } from './inspect.js';
import type { LimiterContext, LimiterOptions } from './limiter-options.js';
import type { LimiterFacts, PlanBook } from './plan-book.js';
import { pause } from './pause.js';
import { prepareTiers, type PreparedTiers } from './prepared-tiers.js';
import { Requests } from './requests.js';
import { defineTiers } from './tiers/define-tiers.js';
import { Plans } from './tiers/plans.js';
import type { TierContext } from './tiers/tier-context.js';
import type { Tier } from './tiers/tier.js';

/** Implements `Limiter`, which has the docs. */
export class TieredLimiter<S> {
  readonly #context: TierContext<S>;
  readonly #requests: Requests<S>;
  readonly #book: PlanBook<S>;
  readonly #corrections: Corrections;
  readonly #unlist: () => void;
  readonly #isInMemory: boolean;
  /** Work that waits in this process. */
  readonly #lines = new Lines<Decision>(({ allowed }) => allowed);
  /** Undefined when it is over, soon after the start. */
  #perRequestCheck: PerRequestCheck | undefined = new PerRequestCheck('limiter');

  constructor(options: LimiterOptions<S>, { owner, key, cost }: LimiterContext<S>) {
    const { store = memoryStore(), partition, prefix = DEFAULT_PREFIX, secret, ...others } = options;
    const { onStoreFailure, share, denyCache = true, onNotice, ...rest } = others;
    const hasOwnStore = options.store === undefined;
    const tiers = 'tiers' in rest ? rest.tiers : [rest as Tier<S>];
    const defaults = { key, cost, onStoreFailure, share };
    const isPartitioned = partition !== undefined;
    const context = { owner, limiter: this, store, hasOwnStore, isPartitioned, prefix, secret, defaults };
    const composed = compose(store);
    this.#isInMemory = composed.isInMemory;
    this.#context = context;
    const peek = (...asked: Parameters<Requests<S>['peekBy']>) => this.#requests.peekBy(...asked);
    this.#requests = new Requests({
      limiter: this,
      store,
      composed,
      claimBuilder: new ClaimBuilder(owner, partition),
      isCached: denyCache,
      onNotice,
      tiers:
        typeof tiers === 'function'
          ? new Plans(tiers, context, { peek, plans: options.plans })
          : defineTiers(tiers, context),
    });
    this.#book = this.#requests.book;
    this.#corrections = new Corrections(this.#requests);
    this.#unlist = registerLimiter(store, this);
  }

  consume(subject: S, options?: ConsumeOptions): MaybePromise<Decision> {
    return this.#inTime(this.decide(subject, options));
  }

  /** For gates: like `consume`, without a promise where the answer is known, such as one of the deny cache. */
  decide(subject: S, options?: ConsumeOptions): MaybePromise<Decision> {
    if (this.#perRequestCheck !== undefined && !this.#perRequestCheck.isPending()) this.#perRequestCheck = undefined;
    const saysMore = options !== undefined && isSpecial(options);
    if (saysMore || traces.consume.start.hasSubscribers) return this.consumeIn(subject, options);
    try {
      const cost = options === undefined ? 1 : costOf(options);
      const { fixed } = this.#book;
      return fixed === undefined
        ? chain(this.#book.planFor(subject), (plan) => plan.check(subject, cost))
        : fixed.check(subject, cost);
    } catch (error) {
      // Callers handle rejections: an error that is thrown would escape them.
      return Promise.reject(error);
    }
  }

  peek(subject: S, options?: CostOptions): MaybePromise<Decision> {
    const decision = this.#decide(subject, options, (claimSet) =>
      chainToPromise(this.#requests.peek(claimSet), (answer) => new TieredDecision(answer, undefined, claimSet)),
    );
    return this.#inTime(decision);
  }

  refund(decision: Decision, units?: Costs): Promise<number> {
    return this.#corrections.refund(decision, units);
  }

  settle(decision: Decision, costs: Costs): Promise<number> {
    return this.#corrections.settle(decision, costs);
  }

  extend(decision: Decision, units: Extension): Promise<Decision> {
    return this.#corrections.extend(decision, units);
  }

  meter(decision: Decision, options: MeterOptions): Meter {
    this.#corrections.checkTiers('meter', meteredTiers(options), decision);
    return new LotMeter(this, decision, options);
  }

  release(decision: Decision): Promise<number> {
    return this.#corrections.release(decision);
  }

  pause(subject: Partial<S>, duration: Duration, options?: TierChoice): Promise<void> {
    return pause(this.#requests, subject, { duration, options });
  }

  reset(subject: Partial<S>, options?: TierChoice): Promise<void> {
    return reset(this.#requests, subject, options);
  }

  inspect(subject: Partial<S>, options?: InspectOptions): Promise<readonly Inspection[]> {
    return inspect(this.#requests, subject, options);
  }

  of(identity: Key | IdentityDigest, options?: IdentityOptions): Budgets {
    return budgetsOf(this.#requests, identity, options);
  }

  policies(decision: Decision): readonly Policy[] {
    return TieredDecision.policiesOf(decision, this);
  }

  prepare(tiers: readonly Tier<S>[]): PreparedTiers {
    return prepareTiers(tiers, { context: this.#context, book: this.#book });
  }

  /** Has renewals ask whether a request with permits still runs. */
  watch(decision: Decision, holder: Holder): void {
    this.#requests.composed.watch(TieredDecision.unitsOf(decision, this), holder);
  }

  /** What gates ask of its requests: a getter, so that no log of a limiter shows it. */
  get facts(): LimiterFacts {
    return this.#book;
  }

  /** For `digesterOf`. A method, so that no log of a limiter shows it. */
  digester(): ((text: string) => string) | undefined {
    const { secret } = this.#context;
    return secret === undefined ? undefined : (text) => digestOf(text, secret);
  }

  /** The beginning of its keys: a getter, as the others are. */
  get prefix(): string {
    return this.#context.prefix;
  }

  /** For limiters that come after it. */
  tiersIn(prefix: string): readonly NamedTier[] {
    return prefix === this.#context.prefix ? this.#book.all() : [];
  }

  /** Changes the claims of all requests from the next one on, as overrides do. @default they stay as they are */
  use(change: ClaimChange | undefined): void {
    this.#requests.use(change);
  }

  // For features of other packages, which find the limiter of an application by `limiterBehind`.

  /** How its requests become claims: a getter, so that no log of a limiter shows it. */
  get requests(): Requests<S> {
    return this.#requests;
  }

  /** Work that waits in this process. */
  get lines(): Lines<Decision> {
    return this.#lines;
  }

  /** Takes a request back as if it had never been sent. */
  undo(decision: Decision): Promise<number> {
    return this.#corrections.undo(decision);
  }

  async close(): Promise<void> {
    this.#unlist();
    await this.#lines.close();
    // All that waits in a store of its own is denied.
    const { decider, composed } = this.#requests;
    await (this.#context.hasOwnStore ? decider.close() : composed.release(this));
  }

  /**
   * Consumes within a trace, until a signal.
   *
   * @param wait for a permit, in milliseconds. @default as long as its tier says
   * @param hasOthers other work waits in the same line
   */
  consumeIn(
    subject: S,
    options: ConsumeOptions | undefined,
    wait?: number,
    hasOthers?: boolean,
  ): MaybePromise<Decision> {
    const trace = traces.consume.start.hasSubscribers ? startTrace() : undefined;
    const decision = this.#decide(subject, options, (claimSet) => {
      const signal = options && signalOf(options);
      const patience = signal === undefined && wait === undefined ? undefined : { signal, wait, hasOthers };
      return this.#requests.charge({ ...claimSet, patience, trace, brought: options && broughtBy(options) });
    });
    return trace === undefined ? decision : endTrace(trace, decision);
  }

  #decide(
    subject: S,
    options: CostOptions | undefined,
    decide: (claimSet: PlannedClaims) => MaybePromise<Decision>,
  ): MaybePromise<Decision> {
    try {
      const claimSet = this.#requests.build(subject, options === undefined ? 1 : costOf(options));
      return isPromise(claimSet) ? claimSet.then(decide) : decide(claimSet);
    } catch (error) {
      // Callers handle rejections: an error that is thrown would escape them.
      return Promise.reject(error);
    }
  }

  /** A program that calls `then` must not fail as soon as a client is denied: before a store, all answers take a promise. */
  #inTime(decision: MaybePromise<Decision>): MaybePromise<Decision> {
    return this.#isInMemory ? decision : Promise.resolve(decision);
  }
}
