// decisions/ makes the answers of a store one decision, and corrects it later: refund, settle, extend, meter. Answers
// and receipts enter. It imports claims and stores' interface.
import { chargingOf } from '../../model/claim.js';
import type { Decision, Source } from '../../model/decision.js';
import { UsageError } from '../../model/errors.js';
import type { Outcome } from '../../model/outcome.js';
import { admitsNothing, type Policy } from '../../model/policy.js';
import { endsWithRequest, type Receipt } from '../../model/receipt.js';
import type { Answer, ChargeVisitor } from '../../model/answer.js';
import type { PlannedClaims } from '../claims/claim-set.js';
import type { KeyBounds } from '../keys/key-function.js';
import { bindsMore } from './binding.js';
import { Ledger } from './ledger.js';
import { unavailable } from './stock-decisions.js';

const NO_TIERS: readonly string[] = Object.freeze([]);
const NO_RECEIPTS: readonly Receipt[] = Object.freeze([]);

/** A registered symbol, so that all copies of this package find the limiter of a decision. */
const ORIGIN = Symbol.for('sluice.decision-origin.1');

/** Likewise what a gate knows of its request. */
const COMPANION = Symbol.for('sluice.decision-companion.1');

/** What made a decision. */
interface Origin {
  readonly limiter: object | undefined;
  readonly claimSet: PlannedClaims | undefined;
  readonly receipts: readonly Receipt[];
}

/**
 * The outcomes of all tiers of a request, taken together. A decision of `consume` hides its limiter, its claims and its
 * receipts from printing, copying and serializing.
 */
export class TieredDecision implements Decision {
  declare readonly allowed: boolean;
  declare readonly reason: Decision['reason'];
  declare readonly binding?: Outcome;
  declare readonly deniedBy: readonly string[];
  declare readonly demotedBy?: readonly string[];
  declare readonly outcomes: readonly Outcome[];
  declare readonly retryAfter: number;
  declare readonly delay: number;
  declare readonly source: Source;
  declare readonly degraded: boolean;
  readonly #limiter: object | undefined;
  readonly #claimSet: PlannedClaims | undefined;
  /** With the receipts of the request, without its extensions. */
  readonly #answer: Answer;
  /** Undefined until something changes what was charged. */
  #ledger: Ledger | undefined;
  /** What a gate knows of the request. */
  #companion: object | undefined;

  /**
   * @param answer its outcomes are largest first
   * @param limiter what has charged the claims. @default nothing was charged
   */
  constructor(answer: Answer, limiter?: object, claimSet?: PlannedClaims) {
    const { outcomes, source, fallback } = answer;
    this.#limiter = limiter;
    this.#claimSet = claimSet;
    this.#answer = answer;
    let binding: Outcome | undefined;
    let deniedBy = NO_TIERS;
    let demotedBy: readonly string[] | undefined;
    let never = false;
    let delay = 0;
    for (let index = 0; index < outcomes.length; index += 1) {
      const outcome = outcomes[index]!;
      if (outcome.shadow) {
        if (!outcome.allowed && demotes(claimSet, outcome.tier)) demotedBy = [...(demotedBy ?? []), outcome.tier];
        continue;
      }
      if (binding === undefined || bindsMore(outcome, binding)) binding = outcome;
      if (!outcome.allowed) deniedBy = deniedBy === NO_TIERS ? [outcome.tier] : [...deniedBy, outcome.tier];
      if (outcome.never) never = true;
      if (outcome.delay > delay) delay = outcome.delay;
    }
    const allowed = deniedBy === NO_TIERS;
    // A limit of 0 denies without the store.
    if (fallback === 'deny' && allowed) {
      Object.assign(this, unavailable());
      return;
    }
    this.allowed = allowed;
    this.reason = allowed ? 'ok' : never ? 'never' : 'denied';
    this.deniedBy = deniedBy;
    this.outcomes = outcomes;
    this.retryAfter = allowed ? 0 : binding!.retryAfter;
    this.delay = allowed ? delay : 0;
    this.source = source;
    this.degraded = fallback !== undefined;
    if (binding) this.binding = binding;
    if (demotedBy !== undefined) this.demotedBy = demotedBy;
  }

  /** This is a getter, because few decisions were paid by a balance, and their outcomes contain its name. */
  get paidBy(): string | undefined {
    return this.allowed ? this.outcomes.find(({ coveredBy }) => coveredBy !== undefined)?.coveredBy : undefined;
  }

  /** A getter, because few decisions have one: its outcomes say it. */
  get place(): string | undefined {
    return this.allowed ? undefined : this.outcomes.find(({ place }) => place !== undefined)?.place;
  }

  /** Undefined for a copy of a decision, and for one of `peek`. */
  get [ORIGIN](): Origin | undefined {
    if (!(#limiter in this) || this.#limiter === undefined) return undefined;
    return { limiter: this.#limiter, claimSet: this.#claimSet, receipts: this.#charged() };
  }

  get [COMPANION](): object | undefined {
    return #companion in this ? this.#companion : undefined;
  }

  set [COMPANION](companion: object | undefined) {
    this.#companion = companion;
  }

  /** @throws UsageError for a decision of another limiter */
  static ledgerOf(decision: Decision, limiter: object): Ledger {
    if (!TieredDecision.#isOf(decision, limiter)) throw notConsumed('this');
    return (decision.#ledger ??= new Ledger(decision, decision.#claimSet!, decision.#answer.receipts));
  }

  /** Lets a decision lead to what a gate knows of its request. */
  static accompany(decision: Decision, companion: object): void {
    if (#companion in decision) decision.#companion = companion;
    else (decision as { [COMPANION]?: object })[COMPANION] = companion;
  }

  static companionOf(decision: unknown): object | undefined {
    return (Object(decision) as Partial<TieredDecision>)[COMPANION];
  }

  /** True if a tier denies that is charged by denials. */
  static isBanned(decision: Decision): boolean {
    if (decision.deniedBy.length === 0) return false;
    const claims = TieredDecision.claimSetOf(decision)?.claims ?? [];
    return claims.some((claim) => chargingOf(claim) === 'denied' && decision.deniedBy.includes(claim.tier));
  }

  /** True if units of the request come back when it ends. */
  static holdsUnits(decision: Decision): boolean {
    const mayHold = TieredDecision.claimSetOf(decision)?.claims.some(({ policy }) => policy.algorithm.endsWithRequest);
    return mayHold === true && TieredDecision.receiptsOf(decision).some(endsWithRequest);
  }

  /** The units that come back when the request ends, spent or not. @throws UsageError for a decision of another limiter */
  static unitsOf(decision: Decision, limiter: object): readonly Receipt[] {
    if (!TieredDecision.#isOf(decision, limiter)) throw notConsumed('this');
    return decision.#charged().filter(endsWithRequest);
  }

  /** The limiter of a decision. Undefined for one that `consume` has not returned. */
  static findLimiter(decision: Decision): object | undefined {
    return #limiter in decision ? decision.#limiter : originOf(decision)?.limiter;
  }

  /** The limiter of a decision. @throws UsageError for a decision that `consume` has not returned */
  static limiterOf(decision: Decision): object {
    const limiter = TieredDecision.findLimiter(decision);
    if (limiter === undefined) throw notConsumed('a');
    return limiter;
  }

  /** The policies of the outcomes, in their order. Empty for a decision of another limiter. */
  static policiesOf(decision: Decision, limiter: object): readonly Policy[] {
    if (!TieredDecision.#isOf(decision, limiter)) return [];
    const { tiers, claims } = decision.#claimSet!;
    return decision.outcomes.map((outcome, index) => {
      // Usually each outcome is that of the claim at its place.
      const claim =
        claims[index]?.tier === outcome.tier ? claims[index] : claims.find(({ tier }) => tier === outcome.tier);
      const own = decision.degraded && claim !== undefined ? claim.terms!.localPolicyOf(claim.policy) : claim?.policy;
      // At a limit of 0 the tier says what it limits.
      return own === undefined || admitsNothing(own) ? tiers.find(({ name }) => name === outcome.tier)!.policy : own;
    });
  }

  /** What a decision was about. It is undefined for a decision that `consume` has not returned, and it makes no receipts. */
  static claimSetOf(decision: Decision): PlannedClaims | undefined {
    return #limiter in decision ? decision.#limiter && decision.#claimSet : originOf(decision)?.claimSet;
  }

  /** What a decision was charged. Empty for a decision that `consume` has not returned. */
  static receiptsOf(decision: Decision): readonly Receipt[] {
    const receipts = #limiter in decision ? decision.#charged() : originOf(decision)?.receipts;
    return receipts ?? NO_RECEIPTS;
  }

  /** Calls back for each tier that a new decision was charged. */
  static visitCharges(decision: Decision, visit: ChargeVisitor): void {
    const answer = #limiter in decision ? decision.#answer : undefined;
    if (answer?.visitCharges !== undefined) answer.visitCharges(visit);
    else for (const { tier, units } of TieredDecision.receiptsOf(decision)) visit(tier, units);
  }

  /** Whether a key of the request has these bounds. False for a decision that `consume` has not returned. */
  static isBoundedBy(decision: Decision, bounds: KeyBounds): boolean {
    return TieredDecision.claimSetOf(decision)?.tiers.some((tier) => tier.bounds === bounds) === true;
  }

  /**
   * Whether callers that share a limit are told apart by identities that nothing has verified, and may be any number: no limit
   * of what an address has in flight bounds them.
   */
  static hasMadeUpCallers(decision: Decision): boolean {
    const { tiers = [] } = TieredDecision.claimSetOf(decision) ?? {};
    const isBounded = tiers.some(({ bounds, policy }) => bounds === 'address' && policy.algorithm.endsWithRequest);
    return !isBounded && tiers.some(({ own }) => own?.bounds === 'presented');
  }

  #charged(): readonly Receipt[] {
    return this.#ledger?.receipts ?? this.#answer.receipts;
  }

  static #isOf(decision: Decision, limiter: object): decision is TieredDecision {
    return #limiter in Object(decision) && (decision as TieredDecision).#limiter === limiter;
  }
}

/** About units that a balance pays, as it has paid the request: the tiers that it covers have no outcome of them. */
export class PaidExtension extends TieredDecision {
  readonly #payer: string;

  constructor(answer: Answer, payer: string) {
    super(answer);
    this.#payer = payer;
  }

  override get paidBy(): string | undefined {
    return this.allowed ? this.#payer : undefined;
  }
}

function demotes(claimSet: PlannedClaims | undefined, name: string): boolean {
  return claimSet?.tiers.some((tier) => tier.name === name && tier.demotes) === true;
}

function originOf(decision: Decision): Origin | undefined {
  return (Object(decision) as { [ORIGIN]?: Origin })[ORIGIN];
}

/** `unavailable` for a gate, which accompanies it. */
export function undecided(): TieredDecision {
  return new TieredDecision({ outcomes: [], receipts: [], source: 'none', fallback: 'deny' });
}

function notConsumed(which: 'this' | 'a'): UsageError {
  const rule = `refund, settle and extend take a decision that consume of ${which} limiter has returned`;
  return new UsageError('USAGE_INVALID', rule);
}
