import {
  type Brought,
  chain,
  changedClaim,
  type Decision,
  limiterBehind,
  type Limiter,
  type MaybePromise,
  TieredDecision,
  type TierDefinition,
  UsageError,
} from '@sluice/core/internal';
import { type AskedTier, ServedRequest } from './served-request.js';

type Tiers = readonly TierDefinition<ServedRequest>[];
type Behind = ReturnType<typeof limiterBehind<ServedRequest>>;
type Claims = Awaited<ReturnType<Behind['requests']['build']>>;

/** Groups of tiers that requests have asked for together. More are compiled again. */
const MAX_GROUPS = 256;

/** Decides requests by some tiers of a limiter, all together. */
export class TierDecider {
  readonly #behind: Behind;
  /** The tiers of the limiter by which the groups were made. */
  #all: Tiers | undefined;
  readonly #groups = new Map<string, Tiers>();

  constructor(limiter: Limiter<ServedRequest>) {
    this.#behind = limiterBehind('serve', limiter);
  }

  get requests(): Behind['requests'] {
    return this.#behind.requests;
  }

  /** Takes a request back as if it had never been sent. */
  undo(decision: Decision): Promise<number> {
    return this.#behind.undo(decision);
  }

  /** The tiers in force. */
  get tiers(): Tiers {
    return this.#behind.requests.book.known();
  }

  /** @param brought of the denial before it */
  decide(request: ServedRequest, brought: Brought | undefined): MaybePromise<Decision> {
    const { cost, tiers, isPeek } = ServedRequest.questionOf(request);
    const { requests } = this.#behind;
    const claimed = this.#claims(request, tiers, cost);
    if (isPeek) {
      return chain(claimed, (claims) =>
        chain(requests.peek(claims), (answer) => new TieredDecision(answer, this.#behind, claims)),
      );
    }
    return chain(claimed, (claims) => {
      const patience = requests.book.mayWait() ? { signal: ServedRequest.responseOf(request).signal } : undefined;
      return requests.charge({ ...claims, patience, brought });
    });
  }

  #claims(request: ServedRequest, asked: readonly AskedTier[] | undefined, cost: number): MaybePromise<Claims> {
    const { requests } = this.#behind;
    if (asked === undefined) return requests.build(request, cost);
    const plan = requests.book.planOf(this.#groupOf(asked));
    const built = requests.claimBuilder.build(plan, request, cost);
    const isPlain = asked.every(({ hits = cost, limit }) => hits === cost && limit === undefined);
    return isPlain ? built : chain(built, (claims) => changedBy(claims, asked));
  }

  #groupOf(asked: readonly AskedTier[]): Tiers {
    const { tiers } = this;
    if (tiers !== this.#all) {
      this.#groups.clear();
      this.#all = tiers;
    }
    const name = asked.length === 1 ? asked[0]!.name : asked.map((each) => each.name).join('\n');
    const known = this.#groups.get(name);
    if (known !== undefined) return known;
    if (this.#groups.size >= MAX_GROUPS) this.#groups.clear();
    const group = tiers.filter((tier) => asked.some((each) => each.name === tier.name));
    this.#groups.set(name, group);
    return group;
  }
}

/** Claims with the costs and limits of their descriptors. */
function changedBy(claims: Claims, asked: readonly AskedTier[]): Claims {
  const { change } = claims.plan as { readonly change?: { isChanged(place: number, key: string): boolean } };
  return {
    ...claims,
    claims: claims.claims.map((claim, place) => {
      const tier = claims.tiers[place] as TierDefinition<ServedRequest>;
      const { hits, limit } = asked.find(({ name }) => name === tier.name)!;
      const isOverridden = change?.isChanged(place, claim.key) === true;
      const policy = limit === undefined || isOverridden ? claim.policy : policyAt(tier, limit);
      const units = tier.cost === undefined ? (hits ?? claim.cost) : claim.cost;
      return changedClaim(claim, { policy, cost: tier.takesAll ? Math.min(units, policy.capacity) : units });
    }),
  };
}

/** @throws UsageError for a limit that the tier cannot have */
function policyAt(tier: TierDefinition<ServedRequest>, limit: number): TierDefinition<ServedRequest>['policy'] {
  const mistake = tier.mistakeIn(limit);
  if (mistake === undefined) return tier.policyAt(limit);
  throw new UsageError('LIMIT_INVALID', `limit.requests_per_unit: ${mistake.message}`);
}
