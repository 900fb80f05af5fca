import { algorithmOf, type Claim, groupRuleOf, type Ruling } from '@sluice/core/internal';
import { assertLength, integerAt, timeOf, type Check, type ReplyItem } from './script-request.js';

/**
 * Reads rulings one after the other, as `describe` in group.lua writes them. What the claim
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
    if (isPeek) return rulings;
    const rule = groupRuleOf(group);
    if (rule !== undefined) {
      const { areCharged } = rule.charges(group, rulings);
      return rulings.map((ruling, index) => (areCharged[index] ? chargedIfFits(ruling, group[index]!) : ruling));
    }
    const isAdmitted = rulings.every(({ retryAfter }, index) => retryAfter === 0 || group[index]!.shadow);
    return isAdmitted ? rulings.map((ruling, index) => chargedIfFits(ruling, group[index]!)) : rulings;
  }

  /** A ruling whose `charged` is 0 unless the claim charges denied requests. */
  #next(claim: Claim): Ruling {
    const { policy, charge } = claim;
    const algorithm = algorithmOf(policy);
    const remaining = this.#number();
    const retryAfter = this.#number();
    const replenishAfter = this.#number();
    const resetAfter = this.#number();
    const detail = algorithm.detailed === undefined ? 0 : this.#number();
    const charged = charge === 'admitted' ? 0 : this.#number();
    const ruling = { charged, limit: policy.quota, remaining, retryAfter, replenishAfter, resetAfter, delay: 0 };
    if (algorithm.detailed === undefined) return ruling;
    return algorithm.detailed(ruling, claim, { number: detail, now: timeOf(this.#items) });
  }

  #number(): number {
    this.#position += 1;
    return integerAt(this.#items, this.#position - 1);
  }
}

function chargedIfFits(ruling: Ruling, { cost, charge, policy }: Claim): Ruling {
  if (charge !== 'admitted' || ruling.retryAfter !== 0) return ruling;
  return { ...ruling, charged: policy.algorithm.chargesNobody ? 0 : cost };
}
