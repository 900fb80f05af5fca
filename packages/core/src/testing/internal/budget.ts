import { consumeGroup, candidate, peekGroup } from '../../algorithms/group.js';
import { algorithmOf } from '../../algorithms/index.js';
import { definePolicy, type PolicyOptions } from '../../algorithms/policy-options.js';
import type { Claim } from '../../model/claim.js';
import type { Policy } from '../../model/policy.js';
import type { Receipt } from '../../model/receipt.js';
import { toReceipt } from '../../stores/answer.js';
import type { Ruling } from '../../model/ruling.js';

/** A moment that is the edge of every common window: so many whole days since 1970. Microseconds. */
export const EPOCH = 20_000 * 86_400_000_000;

/** One key under one policy, on a clock that counts milliseconds from EPOCH. Times of rulings are in ticks. */
export class Budget {
  policy: Policy;
  #stored: unknown;

  constructor(options: PolicyOptions) {
    this.policy = definePolicy(options);
  }

  /** The same key under other numbers. */
  change(options: PolicyOptions): void {
    this.policy = definePolicy(options);
  }

  take(milliseconds: number, cost = 1, claim: Partial<Claim> = {}): Ruling {
    const asked = candidate(this.#claim(cost, claim), this.#stored);
    consumeGroup([asked], microseconds(milliseconds));
    if (asked.changed) this.#stored = asked.state;
    return asked.ruling!;
  }

  look(milliseconds: number, cost = 1): Ruling {
    const asked = candidate(this.#claim(cost, {}), this.#stored);
    peekGroup([asked], microseconds(milliseconds));
    return asked.ruling!;
  }

  /** How many of many single units are admitted at one moment. */
  admitted(milliseconds: number, asked: number): number {
    return Array.from({ length: asked }, () => this.take(milliseconds)).filter(({ retryAfter }) => retryAfter === 0)
      .length;
  }

  receipt(milliseconds: number, ruling: Ruling): Receipt {
    return toReceipt(this.#claim(1, {}), ruling, microseconds(milliseconds));
  }

  refund(milliseconds: number, receipt: Receipt): number {
    const ticks = Math.floor(microseconds(milliseconds) / receipt.policy.tick);
    const { state, given } = algorithmOf(receipt.policy).refund(this.#stored, ticks, receipt.policy, receipt);
    if (given > 0) this.#stored = state;
    return given;
  }

  /** What is kept. */
  get stored(): unknown {
    return this.#stored;
  }

  #claim(cost: number, claim: Partial<Claim>): Claim {
    const flags = { shadow: false, countDenied: false, record: undefined };
    return { tier: 'tier', key: 'key', policy: this.policy, cost, ...flags, ...claim };
  }
}

/** The microsecond that a moment is in, as a limiter sees it. */
export function microseconds(milliseconds: number): number {
  return EPOCH + Math.round(milliseconds * 1000);
}
