import type { Claim } from '../../../model/claim.js';
import type { Ruling } from '../../../model/ruling.js';

/** An integer, an error text, or several of them. */
export type ReplyItem = number | string | readonly ReplyItem[];

const DOUBLE_BYTES = 8;

/**
 * Reads a reply of integers and error texts. It is packed doubles or an array; some clients hand every number over as a
 * string.
 */
export function parseReply(reply: unknown): readonly ReplyItem[] {
  if (Buffer.isBuffer(reply)) return readDoubles(reply);
  const items = reply as readonly ReplyItem[];
  return items.every(isNumber) ? items : items.map(parseItem);
}

export function isNumber(item: ReplyItem): item is number {
  return typeof item === 'number';
}

function parseItem(item: ReplyItem): ReplyItem {
  if (typeof item === 'number') return item;
  if (typeof item !== 'string') return Buffer.isBuffer(item) ? item.toString() : parseReply(item);
  const number = Number(item);
  return Number.isNaN(number) ? item : number;
}

function readDoubles(packed: Buffer): readonly number[] {
  const numbers = new Array<number>(packed.length / DOUBLE_BYTES);
  for (let index = 0; index < numbers.length; index += 1) numbers[index] = packed.readDoubleLE(index * DOUBLE_BYTES);
  return numbers;
}

/**
 * Reads rulings one after the other, as `describe` in group.lua and units.lua write them. What the claim tells by itself
 * is not in the reply.
 */
export class RulingReader {
  readonly #items: readonly ReplyItem[];
  #position: number;

  constructor(items: readonly ReplyItem[], position: number) {
    this.#items = items;
    this.#position = position;
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
    const isAdmitted = !isPeek && rulings.every(({ retryAfter }, index) => retryAfter === 0 || group[index]!.shadow);
    if (!isAdmitted) return rulings;
    return rulings.map((ruling, index) => {
      const { cost, countDenied } = group[index]!;
      return countDenied || ruling.retryAfter !== 0 ? ruling : { ...ruling, charged: cost };
    });
  }

  /** A ruling whose `charged` is 0 unless the claim counts denied requests. */
  #next({ policy, countDenied }: Claim): Ruling {
    const remaining = this.#number();
    const retryAfter = this.#number();
    const replenishAfter = this.#number();
    const resetAfter = this.#number();
    const limit = policy.algorithm === 'multi-window' ? this.#number() : policy.quota;
    const delay = policy.algorithm === 'leaky-bucket' ? this.#number() : 0;
    const charged = countDenied ? this.#number() : 0;
    return { charged, limit, remaining, retryAfter, replenishAfter, resetAfter, delay };
  }

  #number(): number {
    this.#position += 1;
    return this.#items[this.#position - 1] as number;
  }
}
