// credits/ has balances of units that are bought: spent by requests, credited and reconciled by calls. Claims and
// credits enter. It imports no other room.
import {
  type Algorithm,
  type Covering,
  type Crediting,
  type ImportedAlgorithm,
  NEVER,
  type Policy,
  RATE_FACTS,
} from '@sluice/core/internal';
import { credit, EMPTY, forgottenAt, isRefundable, MAX_BALANCE, reconcile, spend, type Account } from './account.js';
import { emitBalance } from './balance-emitter.js';
import { covering } from './covering.js';
import { balanceOutcome } from './outcomes.js';

/** The highest cost of a request. */
const MAX_COST = 2 ** 32 - 1;

/** What `balance()` returns, for the option `algorithm` of a tier. */
export interface Balance extends ImportedAlgorithm {
  /** The names of the tiers in whose place it pays. */
  readonly covers: readonly string[] | undefined;
}

/** Units that never refill. What is left is all that decides. */
export const balanceAlgorithm: Algorithm<Policy, Account> = {
  ...RATE_FACTS,
  refill: undefined,
  neverRefills: true,
  // A credit may come at any time, from any process.
  denialsLast: false,
  facets: {
    crediting: {
      credit: (stored, added, now) => credit(stored ?? EMPTY, added, now),
      reconcile: (stored, reconciliation, now) => reconcile(stored ?? EMPTY, reconciliation, now),
    } satisfies Crediting<Account>,
  },
  name: 'balance',
  code: 'ba',
  twin: 'ba',
  packing: {
    path: () => 'ba',
    unpack: (numbers, position) => ({ ...EMPTY, left: numbers[position]! }),
    emit: emitBalance,
  },

  isAhead() {
    return false;
  },

  read(stored) {
    return stored ?? EMPTY;
  },

  wait({ left }, _now, _policy, cost) {
    return cost <= left ? 0 : NEVER;
  },

  remaining({ left }) {
    return left;
  },

  charge(account, now, _policy, cost) {
    const units = Math.min(cost, account.left);
    return units === 0 ? account : spend(account, units, now, now);
  },

  describe({ left }, _now, { quota }, { charged, retryAfter }) {
    return { charged, limit: quota, remaining: left, retryAfter, replenishAfter: 0, resetAfter: 0, delay: 0 };
  },

  refund(stored, now, _policy, { units, at }) {
    const given = isRefundable(at, now) ? Math.min(units, MAX_BALANCE - stored.left) : 0;
    return { state: spend(stored, -given, at, now), given };
  },

  expiresAt(account) {
    return forgottenAt(account);
  },

  /** A full store forgets no units, and no id. */
  staysUntil(account) {
    return forgottenAt(account);
  },

  terms({ left }) {
    return { form: 'balance', left };
  },

  tell: balanceOutcome,

  group: covering,

  /** Redis shows operators the units alone. */
  revive(json) {
    return Array.isArray(json) ? { ...EMPTY, left: json[0] as number } : (json as Account);
  },
};

const plain: Policy = Object.freeze({
  algorithm: balanceAlgorithm,
  limit: MAX_COST,
  quota: MAX_COST,
  capacity: MAX_COST,
  // It has none, and is the smallest of the tiers.
  window: 0,
  // Milliseconds, as all times of an account.
  tick: 1e3,
  dimensions: 'balance',
  settling: undefined,
  numbers: [1e3, MAX_COST],
});

/** The policy of a balance that pays in the place of some tiers, or for each request. */
export function balancePolicy(covers: readonly string[] | undefined): Policy {
  if (covers === undefined) return plain;
  const paid: Covering = { tiers: covers, text: `covers ${covers.join(' ')}` };
  const algorithm = { ...balanceAlgorithm, facets: { ...balanceAlgorithm.facets, covering: paid } };
  return Object.freeze({ ...plain, algorithm, settling: plain });
}
