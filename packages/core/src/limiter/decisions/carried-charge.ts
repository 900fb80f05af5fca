import type { Decision } from '../../model/decision.js';
import type { Receipt } from '../../model/receipt.js';
import type { Entry } from './ledger.js';
import { TieredDecision } from './tiered-decision.js';

/** What a decision has charged to a tier, as plain values that go to other processes. A tier is known there by its name. */
export interface CarriedCharge {
  readonly tier: string;
  /** The store key. */
  readonly key: string;
  /** The limit that has decided, by which a process makes the policy again. */
  readonly limit: number;
  readonly cost: number;
  readonly receipts: readonly CarriedReceipt[];
}

/** A receipt without what its tier says. */
export type CarriedReceipt = Omit<Receipt, 'tier' | 'key' | 'policy'>;

/**
 * The charges of a decision.
 *
 * @param limiter that has decided: the one of `createLimiter` itself
 * @throws UsageError for a decision of another limiter
 * @example JSON.stringify(carriedOf(limiter, await limiter.consume(subject)))
 */
export function carriedOf(limiter: object, decision: Decision): readonly CarriedCharge[] {
  return TieredDecision.ledgerOf(decision, limiter).entriesApart().map(carried);
}

function carried({ claim, receipts }: Entry): CarriedCharge {
  const { tier, key, policy, cost } = claim;
  return {
    tier,
    key,
    limit: policy.limit,
    cost,
    receipts: receipts.map(({ tier: _tier, key: _key, policy: _policy, ...own }) => own),
  };
}
