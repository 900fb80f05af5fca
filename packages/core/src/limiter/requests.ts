import { chain, chainToPromise, isPromise } from '../async/deferred.js';
import type { MaybePromise } from '../async/maybe-promise.js';
import { channels } from '../events/channels.js';
import type { Answer } from '../model/answer.js';
import type { Decision } from '../model/decision.js';
import type { Inspection } from '../model/inspection.js';
import type { Override } from '../model/override.js';
import type { AbleStore, ComposedStore } from '../stores/store.js';
import { answerWithoutStore, needStore } from '../stores/answer.js';
import type { ClaimChange } from './claims/claim-change.js';
import type { ClaimBuilder, IdentityNumbers } from './claims/claim-builder.js';
import type { ClaimSet, PlannedClaims } from './claims/claim-set.js';
import { compile } from './compile.js';
import type { Plan } from './claims/plan.js';
import { TieredDecision } from './decisions/tiered-decision.js';
import { inspectClaims } from './inspect-claims.js';
import type { OnNotice } from './tiers/tier-feature.js';
import { PlanBook } from './plan-book.js';
import { rateCheck } from './rate-check.js';
import type { Plans } from './tiers/plans.js';
import type { TierDefinition } from './tiers/tier-definition.js';

type Tiers<S> = readonly TierDefinition<S>[];

interface RequestContext<S> {
  /** The limiter of the decisions. */
  readonly limiter: object;
  readonly claimBuilder: ClaimBuilder<S>;
  /** The store of the options, or one of the limiter alone: an operator reads past caches and fallbacks. */
  readonly store: AbleStore;
  readonly composed: ComposedStore;
  /** It is false with `denyCache: false`. */
  readonly isCached: boolean;
  readonly onNotice: OnNotice | undefined;
  readonly tiers: Tiers<S> | Plans<S>;
}

const NONE: readonly Override[] = Object.freeze([]);

/** How the requests of a limiter become claims, and claims become decisions. */
export class Requests<S> {
  readonly limiter: object;
  readonly store: AbleStore;
  readonly composed: ComposedStore;
  /** The store behind all layers. */
  readonly decider: ComposedStore['cached'];
  readonly claimBuilder: ClaimBuilder<S>;
  readonly book: PlanBook<S>;
  readonly #context: RequestContext<S>;
  #change: ClaimChange | undefined;

  constructor(context: RequestContext<S>) {
    const { limiter, store, composed, claimBuilder, isCached, tiers } = context;
    this.limiter = limiter;
    this.store = store;
    this.composed = composed;
    this.decider = isCached ? composed.cached : composed.uncached;
    this.claimBuilder = claimBuilder;
    this.#context = context;
    this.book = new PlanBook({ tiers, compile: (each) => this.#compile(each) });
  }

  /** Changes the claims of all requests from the next one on. @default they stay as they are */
  use(change: ClaimChange | undefined): void {
    this.#change = change;
    this.book.compileAgain();
  }

  overrides(): readonly Override[] {
    return this.#change?.overrides() ?? NONE;
  }

  build(subject: S, cost: number): MaybePromise<PlannedClaims> {
    return chain(this.book.planFor(subject), (plan) => this.claimBuilder.build(plan, subject, cost));
  }

  buildUnits(tiers: Tiers<S>, subject: S, cost?: number): MaybePromise<ClaimSet> {
    return this.claimBuilder.buildUnits(tiers, subject, { cost, change: this.#change?.on(tiers) });
  }

  buildFor(tiers: Tiers<S>, identity: unknown, numbers: IdentityNumbers): ClaimSet {
    return this.claimBuilder.buildFor(tiers, identity, { ...numbers, change: this.#change?.on(tiers) });
  }

  charge(claimSet: PlannedClaims): MaybePromise<Decision> {
    const { claims, plan, changed } = claimSet;
    const isAsked = plan.needsStore || needStore(claims);
    const answered = isAsked ? plan.consume(claims, claimSet) : answerWithoutStore(claims);
    const answer =
      changed === undefined ? answered : chain(answered, (each) => changed.charged(each, (own) => this.#ask(own)));
    return chainToPromise(answer, (each) => this.#decided(claimSet, each));
  }

  peek(claimSet: ClaimSet): MaybePromise<Answer> {
    const { changed } = claimSet;
    const answer = this.#ask(claimSet);
    return changed === undefined ? answer : chain(answer, (each) => changed.peeked(each, (own) => this.#ask(own)));
  }

  async inspect(claimSet: ClaimSet): Promise<readonly Inspection[]> {
    const inspections = await inspectClaims(this.store, claimSet);
    return claimSet.changed?.inspected(inspections, (own) => this.#ask(own)) ?? inspections;
  }

  /** What a function that chooses tiers learns of a subject. */
  peekBy(tiers: Tiers<S>, subject: S): MaybePromise<Decision> {
    const claimSet = this.claimBuilder.build(this.book.planOf(tiers), subject, 1);
    return chain(
      chain(claimSet, (each) => this.peek(each)),
      (answer) => new TieredDecision(answer),
    );
  }

  #compile(tiers: Tiers<S>): Plan<S> {
    const { composed, limiter, claimBuilder } = this.#context;
    const change = this.#change?.on(tiers);
    const plan = compile(tiers, { ...this.#context, isPartitioned: claimBuilder.isPartitioned, change });
    const { rateStore: store } = composed;
    const charge = (claimSet: PlannedClaims) => this.charge(claimSet);
    if (plan.rates !== undefined && store !== undefined) {
      return { ...plan, check: rateCheck(plan, plan.rates, { limiter, store, charge }) };
    }
    return {
      ...plan,
      check: (subject, cost) => {
        const claimSet = claimBuilder.build(plan, subject, cost);
        return isPromise(claimSet) ? claimSet.then(charge) : this.charge(claimSet);
      },
    };
  }

  #ask({ claims }: ClaimSet): MaybePromise<Answer> {
    return needStore(claims) ? this.decider.peek(claims) : answerWithoutStore(claims);
  }

  #decided(claimSet: PlannedClaims, answer: Answer): Decision {
    const decision = new TieredDecision(answer, this.limiter, claimSet);
    if (channels.decision.hasSubscribers) channels.decision.publish({ decision });
    return decision;
  }
}
