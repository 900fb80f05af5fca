import type { Claim } from '../../model/claim.js';
import type { Ruling } from '../../model/ruling.js';
import type { Told } from './question.js';

/** The numbers of a claim, as `consume.lua` and `singles.lua` describe it: what the client knows itself is left out. */
interface Numbers {
  readonly remaining: number;
  readonly retryAfter: number;
  readonly replenishAfter: number;
  readonly resetAfter: number;
  /** The delay of a leaky bucket, or the limit of the binding window of several. */
  readonly detail: number | undefined;
  /** Where denied requests count. */
  readonly charged: number | undefined;
}

/** Claims that a script describes, one after the other. */
export class DescribedClaims {
  readonly #told: readonly Told[];
  #position: number;

  constructor(told: readonly Told[], position: number) {
    this.#told = told;
    this.#position = position;
  }

  /** The rulings of the next group, or why it could not be decided. */
  next(group: readonly Claim[], peek: boolean): readonly Ruling[] | string {
    const problem = this.#told[this.#position];
    if (typeof problem !== 'string') return this.rulings(group, peek);
    this.#position += 1;
    return problem;
  }

  rulings(group: readonly Claim[], peek: boolean): readonly Ruling[] {
    const numbers = group.map((claim) => this.#numbersOf(claim));
    const admitted = !peek && numbers.every(({ retryAfter }, index) => retryAfter === 0 || group[index]!.shadow);
    return numbers.map((each, index) => rulingOf(group[index]!, each, admitted));
  }

  #numbersOf({ policy, countDenied }: Claim): Numbers {
    const detailed = policy.algorithm === 'leaky-bucket' || policy.algorithm === 'multi-window';
    return {
      remaining: this.#number(),
      retryAfter: this.#number(),
      replenishAfter: this.#number(),
      resetAfter: this.#number(),
      detail: detailed ? this.#number() : undefined,
      charged: countDenied ? this.#number() : undefined,
    };
  }

  #number(): number {
    this.#position += 1;
    return this.#told[this.#position - 1] as number;
  }
}

function rulingOf({ policy, cost }: Claim, numbers: Numbers, admitted: boolean): Ruling {
  const { remaining, retryAfter, replenishAfter, resetAfter, detail, charged } = numbers;
  return {
    charged: charged ?? (admitted && retryAfter === 0 ? cost : 0),
    limit: policy.algorithm === 'multi-window' ? detail! : policy.quota,
    remaining,
    retryAfter,
    replenishAfter,
    resetAfter,
    delay: policy.algorithm === 'leaky-bucket' ? detail! : 0,
  };
}
