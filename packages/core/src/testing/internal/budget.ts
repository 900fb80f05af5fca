import { consumeGroup, candidate, peekGroup } from '../../algorithms/group.js';
import { algorithmOf } from '../../algorithms/index.js';
import { definePolicy, type PolicyOptions } from '../../algorithms/policy-options.js';
import type { Claim } from '../../model/claim.js';
import type { Policy } from '../../model/policy.js';
import type { Receipt } from '../../model/receipt.js';
import { toReceipt } from '../../stores/answer.js';
import type { Ruling } from '../../model/ruling.js';

/** The edge of every common window: whole days since 1970, in microseconds. */
export const EPOCH = 20_000 * 86_400_000_000;

/** One key under one policy, on a clock in milliseconds since EPOCH. Times of rulings are in ticks. */
export class Budget {
  policy: Policy;
  #stored: unknown;

  constructor(options: PolicyOptions) {
    this.policy = definePolicy(options);
  }

  /** Changes the policy of the key. */
  change(options: PolicyOptions): void {
    this.policy = definePolicy(options);
  }

  take(milliseconds: number, cost = 1, claim: Partial<Claim> = {}): Ruling {
    const each = candidate(this.#claim(cost, claim), this.#stored);
    consumeGroup([each], microseconds(milliseconds));
    if (each.changed) this.#stored = each.state;
    return each.ruling!;
  }

  look(milliseconds: number, cost = 1): Ruling {
    const each = candidate(this.#claim(cost, {}), this.#stored);
    peekGroup([each], microseconds(milliseconds));
    return each.ruling!;
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

  /** The stored state. */
  get stored(): unknown {
    return this.#stored;
  }

  #claim(cost: number, claim: Partial<Claim>): Claim {
    const flags = { shadow: false, countDenied: false, record: undefined };
    return { tier: 'tier', key: 'key', policy: this.policy, cost, ...flags, ...claim };
  }
}

/** The microsecond of a time. */
export function microseconds(milliseconds: number): number {
  return EPOCH + Math.round(milliseconds * 1000);
}
