import type { Claim } from '../../model/claim.js';
import type { Ruling } from '../../model/ruling.js';

/** A group that was asked about. */
interface AskedGroup {
  readonly group: readonly Claim[];
  readonly peek: boolean;
}

/** The numbers of a claim, as `consume.lua` and `singles.lua` send them: what the client knows itself is left out. */
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

/** Reads the reply to groups: the server's microseconds, and the rulings of each or why it could not be decided. */
export function readRulings(
  asked: readonly AskedGroup[],
  reply: unknown,
): { now: number; rulings: (readonly Ruling[] | string)[] } {
  const values = new Values(numbersOf(reply));
  const now = values.next() as number;
  const rulings = asked.map(({ group, peek }) => {
    if (values.isText()) return values.next() as string;
    return rulingsOf(
      group,
      peek,
      group.map((claim) => claimNumbers(claim, values)),
    );
  });
  return { now, rulings };
}

function claimNumbers({ policy, countDenied }: Claim, values: Values): Numbers {
  const detailed = policy.algorithm === 'leaky-bucket' || policy.algorithm === 'multi-window';
  return {
    remaining: values.number(),
    retryAfter: values.number(),
    replenishAfter: values.number(),
    resetAfter: values.number(),
    detail: detailed ? values.number() : undefined,
    charged: countDenied ? values.number() : undefined,
  };
}

function rulingsOf(group: readonly Claim[], peek: boolean, numbers: readonly Numbers[]): Ruling[] {
  const admitted = !peek && numbers.every(({ retryAfter }, index) => retryAfter === 0 || group[index]!.shadow);
  return numbers.map(({ remaining, retryAfter, replenishAfter, resetAfter, detail, charged }, index) => {
    const { policy, cost } = group[index]!;
    return {
      charged: charged ?? (admitted && retryAfter === 0 ? cost : 0),
      limit: policy.algorithm === 'multi-window' ? detail! : policy.quota,
      remaining,
      retryAfter,
      replenishAfter,
      resetAfter,
      delay: policy.algorithm === 'leaky-bucket' ? detail! : 0,
    };
  });
}

/** A reply of integers and error texts, also as a client gives it that has every number as a string. */
export function numbersOf(reply: unknown): (number | string)[] {
  return (reply as (number | string)[]).map((each) => {
    const number = Number(each);
    return Number.isNaN(number) ? each : number;
  });
}

/** Takes the values of a reply one by one. */
class Values {
  readonly #values: readonly (number | string)[];
  #position = 0;

  constructor(values: readonly (number | string)[]) {
    this.#values = values;
  }

  isText(): boolean {
    return typeof this.#values[this.#position] === 'string';
  }

  next(): number | string {
    this.#position += 1;
    return this.#values[this.#position - 1]!;
  }

  number(): number {
    return this.next() as number;
  }
}
