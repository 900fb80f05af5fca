import { chainToPromise, isPromise } from '../async/deferred.js';
import type { MaybePromise } from '../async/maybe-promise.js';
import { channels } from '../events/channels.js';
import type { Decision } from '../model/decision.js';
import type { Inspection } from '../model/inspection.js';
import type { Override } from '../model/override.js';
import type { ComposedStore, LayeredStore, Store } from '../stores/store.js';
import type { Answer } from '../model/answer.js';
import type { ClaimBuilder, IdentityNumbers } from './claims/claim-builder.js';
import type { ClaimSet, PlannedClaims } from './claims/claim-set.js';
import { checkByClaims, compile, type Check, type Plan, type PlanFacts } from './compile.js';
import { TieredDecision } from './decisions/tiered-decision.js';
import { inspectClaims } from './inspect.js';
import type { OnNotice } from './on-notice.js';
import type { Pipeline } from './pipeline.js';
import { rateCheck, type LeftToClaims } from './rate-check.js';
import type { TierDefinition } from './tiers/tier-definition.js';
import { answerWithoutStore, needStore } from '../stores/without-store.js';

interface PipelineContext<S> {
  /** The limiter of the decisions. */
  readonly limiter: object;
  readonly claimBuilder: ClaimBuilder<S>;
  /** The store of the options. */
  readonly store: Store;
  readonly composed: ComposedStore;
  /** False with `denyCache: false`. */
  readonly isCached: boolean;
  /** The store behind all layers. */
  readonly decider: LayeredStore;
  readonly onNotice: OnNotice | undefined;
}

const NONE: readonly Override[] = Object.freeze([]);

/** Each request by the limits of its tiers. */
export class DirectPipeline<S> implements Pipeline<S> {
  readonly #context: PipelineContext<S>;
  readonly #limiter: object;
  readonly #claimBuilder: ClaimBuilder<S>;

  constructor(context: PipelineContext<S>) {
    this.#context = context;
    this.#limiter = context.limiter;
    this.#claimBuilder = context.claimBuilder;
  }

  compile(tiers: readonly TierDefinition<S>[]): Plan<S> {
    const plan = compile(tiers, { ...this.#context, isPartitioned: this.#claimBuilder.isPartitioned });
    const charge = (claimSet: PlannedClaims) => this.charge(claimSet);
    return { ...plan, check: this.checkOf(plan, { charge }) ?? checkByClaims(plan, this) };
  }

  /** The check of a plan that needs no claims of most requests. Undefined for another one. */
  checkOf(plan: PlanFacts<S>, left: LeftToClaims): Check<S> | undefined {
    const { composed, limiter } = this.#context;
    const { rateStore: store } = composed;
    const { rates } = plan;
    return rates && store && rateCheck(plan, rates, { limiter, store, ...left });
  }

  build(plan: PlanFacts<S>, subject: S, cost: number): MaybePromise<PlannedClaims> {
    return this.#claimBuilder.build(plan, subject, cost);
  }

  buildUnits(tiers: readonly TierDefinition<S>[], subject: S, cost?: number): MaybePromise<ClaimSet> {
    return this.#claimBuilder.buildUnits(tiers, subject, cost);
  }

  buildFor(tiers: readonly TierDefinition<S>[], identity: unknown, numbers: IdentityNumbers): ClaimSet {
    return this.#claimBuilder.buildFor(tiers, identity, numbers);
  }

  charge(claimSet: PlannedClaims): MaybePromise<Decision> {
    const answer = this.answer(claimSet);
    // A memory store answers immediately, and then a direct call is faster than a callback.
    return isPromise(answer)
      ? chainToPromise(answer, (each) => this.decided(claimSet, each))
      : this.decided(claimSet, answer);
  }

  /** What the store says of claims. */
  answer(claimSet: PlannedClaims): MaybePromise<Answer> {
    const { claims, plan } = claimSet;
    return needStore(claims) ? plan.consume(claims, claimSet) : answerWithoutStore(claims);
  }

  decided(claimSet: PlannedClaims, answer: Answer): Decision {
    const decision = new TieredDecision(answer, this.#limiter, claimSet);
    if (channels.decision.hasSubscribers) channels.decision.publish({ decision });
    return decision;
  }

  peek({ claims }: ClaimSet): MaybePromise<Answer> {
    return needStore(claims) ? this.#context.decider.peek(claims) : answerWithoutStore(claims);
  }

  inspect(claimSet: ClaimSet): Promise<readonly Inspection[]> {
    return inspectClaims(this.#context.store, claimSet);
  }

  overrides(): readonly Override[] {
    return NONE;
  }
}
