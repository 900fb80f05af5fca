import { isChargedBy, isCovering, paymentOf } from '../../../algorithms/balance/covers.js';
import { marksWithin } from '../../../algorithms/fixed-window/marks.js';
import type { Claim } from '../../../model/claim.js';
import type { Ruling } from '../../../model/ruling.js';
import { assertLength, integerAt, type Check, type ReplyItem } from './script-request.js';

/**
 * Reads rulings one after the other, as `describe` in group.lua and unit-checks.general.lua write them. What the claim
 * tells by itself is not in the reply.
 */
export class RulingReader {
  readonly #items: readonly ReplyItem[];
  #position: number;

  constructor(items: readonly ReplyItem[], position: number) {
    this.#items = items;
    this.#position = position;
  }

  /** The rulings on the last checks of a reply, in order. @throws TypeError for the reply to other checks */
  lastGroups(checks: readonly Check[]): readonly (readonly Ruling[] | string)[] {
    const rulings = checks.map(({ group, isPeek }) => this.nextGroup(group, isPeek));
    this.end();
    return rulings;
  }

  /** @throws TypeError unless the whole reply was read */
  end(): void {
    assertLength(this.#items, this.#position);
  }

  /** The rulings of the next group, or the error of a key that Redis could not read. */
  nextGroup(group: readonly Claim[], isPeek: boolean): readonly Ruling[] | string {
    const item = this.#items[this.#position];
    if (typeof item !== 'string') return this.nextRulings(group, isPeek);
    this.#position += 1;
    return item;
  }

  nextRulings(group: readonly Claim[], isPeek: boolean): readonly Ruling[] {
    const rulings = group.map((claim) => this.#next(claim));
    if (!isPeek && group.some(isCovering)) return coveredRulings(group, rulings);
    const isAdmitted = !isPeek && rulings.every(({ retryAfter }, index) => retryAfter === 0 || group[index]!.shadow);
    if (!isAdmitted) return rulings;
    return rulings.map((ruling, index) => {
      const { cost, charge, policy } = group[index]!;
      return charge !== 'admitted' || ruling.retryAfter !== 0
        ? ruling
        : { ...ruling, charged: policy.kind === 'pause' ? 0 : cost };
    });
  }

  /** A ruling whose `charged` is 0 unless the claim charges denied requests. */
  #next({ policy, charge, cost }: Claim): Ruling {
    const remaining = this.#number();
    const retryAfter = this.#number();
    const replenishAfter = this.#number();
    const resetAfter = this.#number();
    const limit = policy.algorithm === 'multi-window' ? this.#number() : policy.quota;
    const delay = policy.algorithm === 'leaky-bucket' ? this.#number() : 0;
    const before = policy.algorithm === 'backoff' ? this.#number() : undefined;
    const reported = policy.marks === undefined ? 0 : this.#number();
    const charged = charge === 'admitted' ? 0 : this.#number();
    const ruling = { charged, limit, remaining, retryAfter, replenishAfter, resetAfter, delay };
    if (before !== undefined) return { ...ruling, before };
    if (reported === 0) return ruling;
    const used = limit - remaining;
    const passed = Math.max(reported - 1, used - (charge === 'admitted' ? cost : charged));
    return { ...ruling, reached: marksWithin(policy.marks!, passed, used) };
  }

  #number(): number {
    this.#position += 1;
    return integerAt(this.#items, this.#position - 1);
  }
}

/** The rulings of a request with a balance that covers other tiers. */
function coveredRulings(group: readonly Claim[], rulings: readonly Ruling[]): readonly Ruling[] {
  const payment = paymentOf(group, rulings);
  return rulings.map((ruling, index) => {
    const claim = group[index]!;
    const isCharged = claim.charge === 'admitted' && ruling.retryAfter === 0 && isChargedBy(payment, claim);
    return isCharged ? { ...ruling, charged: claim.policy.kind === 'pause' ? 0 : claim.cost } : ruling;
  });
}
