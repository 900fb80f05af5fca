import { chain, chainToPromise, isPromise } from '../async/deferred.js';
import type { MaybePromise } from '../async/maybe-promise.js';
import { channels } from '../events/channels.js';
import type { Claim } from '../model/claim.js';
import type { Decision } from '../model/decision.js';
import type { Inspection } from '../model/inspection.js';
import type { Override } from '../model/override.js';
import type { ComposedStore, WrappedStore } from '../stores/compose.js';
import type { Answer, Store } from '../stores/store.js';
import { chargeBesideZeroLimits, NO_CLAIMS, withZeroLimits } from './charge-beside-zero-limits.js';
import type { ClaimBuilder, IdentityNumbers } from './claims/claim-builder.js';
import type { ClaimChange, ClaimSet, PlannedClaims } from './claims/claim-set.js';
import { compile, type Plan } from './compile.js';
import { TieredDecision } from './decisions/tiered-decision.js';
import { inspectClaims } from './inspect.js';
import type { OnNotice } from './on-notice.js';
import type { Pipeline } from './pipeline.js';
import type { TierDefinition } from './tiers/tier-definition.js';

interface PipelineContext<S> {
  /** The limiter of the decisions. */
  readonly limiter: object;
  readonly claimBuilder: ClaimBuilder<S>;
  /** The store of the options. */
  readonly store: Store;
  readonly composed: ComposedStore;
  /** The store behind caches and fallback. */
  readonly decider: WrappedStore;
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
    const { composed, limiter } = this.#context;
    return compile(tiers, {
      ...this.#context,
      uncached: composed.uncached,
      owner: limiter,
      assign: (receipts) => composed.assign(receipts, limiter),
      isPartitioned: this.#claimBuilder.isPartitioned,
    });
  }

  build(plan: Plan<S>, subject: S, cost: number): MaybePromise<PlannedClaims> {
    return this.#claimBuilder.build(plan, subject, cost);
  }

  buildUnits(tiers: readonly TierDefinition<S>[], subject: S, cost?: number): MaybePromise<ClaimSet> {
    return this.#claimBuilder.buildUnits(tiers, subject, cost);
  }

  buildFor(tiers: readonly TierDefinition<S>[], identity: unknown, numbers: IdentityNumbers): ClaimSet {
    return this.#claimBuilder.buildFor(tiers, identity, numbers);
  }

  charge(claimSet: PlannedClaims): MaybePromise<Decision> {
    const { claims, zeroLimits, labels, plan } = claimSet;
    const isUsual = zeroLimits === undefined && claims.length > 0;
    const answer = isUsual ? plan.consume(claims, labels) : this.answer(claimSet);
    // A memory store answers immediately, and then a direct call is faster than a callback.
    return isPromise(answer)
      ? chainToPromise(answer, (each) => this.decided(claimSet, each))
      : this.decided(claimSet, answer);
  }

  chargeChanged(claimSet: PlannedClaims, change: ClaimChange): MaybePromise<Decision> {
    const claims = change(claimSet.claims);
    return this.charge(claims === claimSet.claims ? claimSet : { ...claimSet, claims });
  }

  /** What the store says of claims. */
  answer(claimSet: PlannedClaims): MaybePromise<Answer> {
    const { claims, zeroLimits, labels, plan } = claimSet;
    if (zeroLimits !== undefined) {
      const charge = (each: readonly Claim[]) => plan.chargeRates(each, labels);
      return chargeBesideZeroLimits(
        { peek: (each) => this.#context.decider.peek(each), chargeRates: charge },
        claimSet,
      );
    }
    return claims.length === 0 ? NO_CLAIMS : plan.consume(claims, labels);
  }

  decided(claimSet: PlannedClaims, answer: Answer): Decision {
    const decision = new TieredDecision(answer, this.#limiter, claimSet);
    if (channels.decision.hasSubscribers) channels.decision.publish({ decision });
    return decision;
  }

  peek(claimSet: ClaimSet): MaybePromise<Answer> {
    const { claims, zeroLimits } = claimSet;
    const answer = claims.length === 0 ? NO_CLAIMS : this.#context.decider.peek(claims);
    return zeroLimits === undefined ? answer : chain(answer, (each) => withZeroLimits(each, claimSet));
  }

  inspect(claimSet: ClaimSet): Promise<readonly Inspection[]> {
    return inspectClaims(this.#context.store, claimSet);
  }

  overrides(): readonly Override[] {
    return NONE;
  }
}
