import { peekGroup } from '../../packages/core/src/algorithms/group.js';
import { definePolicy, type PolicyOptions } from '../../packages/core/src/algorithms/named/policy-options.js';
import { chargedFor, type Claim } from '../../packages/core/src/model/claim.js';
import type { Policy } from '../../packages/core/src/model/policy.js';
import type { Receipt } from '../../packages/core/src/model/receipt.js';
import type { Ruling } from '../../packages/core/src/model/ruling.js';
import { toReceipt } from '../../packages/core/src/stores/answer.js';
import { KeyStates } from './key-states.js';

/** The edge of every common window: whole days since 1970, in microseconds. */
export const EPOCH = 20_000 * 86_400_000_000;

/** One key under one policy, on a clock in milliseconds since EPOCH. Times of rulings are in ticks. */
export class Budget {
  policy: Policy;
  readonly #states = new KeyStates();

  constructor(options: PolicyOptions) {
    this.policy = definePolicy(options);
  }

  /** Changes the policy of the key. */
  change(options: PolicyOptions): void {
    this.policy = definePolicy(options);
  }

  take(milliseconds: number, cost = 1): Ruling {
    return this.#states.decide([this.#claim(cost)], microseconds(milliseconds))[0]!;
  }

  /** Takes units of a claim that charges all requests. */
  count(milliseconds: number, cost: number): Ruling {
    return this.#states.decide([chargedFor(this.#claim(cost), 'all')], microseconds(milliseconds))[0]!;
  }

  /** Charges what `settle` charges beyond a reserved cost. */
  settle(milliseconds: number, cost: number): Ruling {
    const policy = this.policy.settling ?? this.policy;
    const claim = chargedFor({ ...this.#claim(cost), policy }, 'all');
    return this.#states.decide([claim], microseconds(milliseconds))[0]!;
  }

  look(milliseconds: number, cost = 1): Ruling {
    return this.#states.decide([this.#claim(cost)], microseconds(milliseconds), peekGroup)[0]!;
  }

  receipt(milliseconds: number, ruling: Ruling): Receipt {
    return toReceipt(this.#claim(1), ruling, microseconds(milliseconds));
  }

  refund(milliseconds: number, receipt: Receipt): number {
    return this.#states.refund(receipt, microseconds(milliseconds));
  }

  /** The stored state. */
  get stored(): unknown {
    return this.#states.state('key');
  }

  #claim(cost: number): Claim {
    return { tier: 'tier', key: 'key', policy: this.policy, cost, shadow: false, record: undefined };
  }
}

/** The microsecond of a time. */
export function microseconds(milliseconds: number): number {
  return EPOCH + Math.round(milliseconds * 1000);
}
