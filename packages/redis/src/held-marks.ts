import { type Answer, chargedFor, type Claim, givesNotice, noticing, type Policy } from '@sluice/core/internal';

/**
 * The marks that a request over several hash tags reaches. No slot knows whether the others deny the request, so that its
 * charges hold them back, and calls of their own tell them once the charges stay. A charge of another request tells those of a
 * process that dies in between.
 */
export class HeldMarks {
  /** The claims of the request, which hold their marks back. */
  readonly group: readonly Claim[];
  readonly #policies = new Map<Policy, Policy>();
  /** The claims that report a mark and charge nothing, by the keys of the claims that may reach it. */
  readonly #due = new Map<string, Claim>();

  constructor(group: readonly Claim[]) {
    const hasMarks = group.some(({ policy }) => givesNotice(policy));
    this.group = hasMarks ? group.map((claim) => this.#hold(claim)) : group;
  }

  /** What is to be told of an answer whose charges stay. */
  dueOf({ receipts, reached = [] }: Answer): readonly Claim[] {
    const keys = new Set(reached.map(({ key }) => key));
    return receipts.flatMap(({ key }) => (keys.has(key) ? (this.#due.get(key) ?? []) : []));
  }

  /** The answer as the caller of the request knows its policies. */
  answer(given: Answer): Answer {
    const { reached: _reached, ...answer } = given;
    if (this.#policies.size === 0) return answer;
    const receipts = answer.receipts.map((receipt) => {
      const policy = this.#policies.get(receipt.policy);
      return policy === undefined ? receipt : { ...receipt, policy };
    });
    return { ...answer, receipts };
  }

  #hold(claim: Claim): Claim {
    const { policy } = claim;
    const apart = noticing.of(policy)?.apart(policy);
    if (apart === undefined) return claim;
    const due = { ...claim, policy: apart.later, cost: 0, record: undefined };
    this.#due.set(claim.key, chargedFor(due, 'admitted'));
    this.#policies.set(apart.held, policy);
    return { ...claim, policy: apart.held };
  }
}
