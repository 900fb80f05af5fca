// credits/ has balances of units that are bought: spent by requests, credited and reconciled by calls. Claims and
// credits enter. It imports no other room.
import {
  type Algorithm,
  type Candidate,
  type Covering,
  type ImportedAlgorithm,
  NEVER,
  type Noticing,
  type Policy,
  RATE_FACTS,
} from '@sluice/core/internal';
import {
  type Account,
  EMPTY,
  forgottenAt,
  isOld,
  isRefundable,
  leftIn,
  MAX_BALANCE,
  plainAccount,
  refund,
  spend,
  upToDate,
} from './account.js';
import { balanceActs } from './balance-acts.js';
import { emitBalance } from './balance-emitter.js';
import { covering } from './covering.js';
import { splits } from './covers.js';
import { take } from './grants.js';
import { heldLow, type LowPolicy, lowReached, type LowRuling, marksBetween, TELLING, tellingOf } from './low-marks.js';
import type { OnLowBalance } from './low-balance.js';
import { balanceOutcome, type BalanceRuling, reporting } from './outcomes.js';
import { revived } from './stored-account.js';

/** The highest cost of a request. */
const MAX_COST = 2 ** 32 - 1;

/** What `balance()` returns, for the option `algorithm` of a tier. */
export interface Balance extends ImportedAlgorithm {
  /** The names of the tiers in whose place it pays. */
  readonly covers: readonly string[] | undefined;
  /** It pays the rest of a cost that the tier holds in part. */
  readonly split: boolean;
}

/** Units that never refill. What is left is all that decides. */
export const balanceAlgorithm: Algorithm<Policy, Account> = {
  ...RATE_FACTS,
  refill: undefined,
  neverRefills: true,
  // A credit may come at any time, from any process.
  denialsLast: false,
  facets: {
    acting: balanceActs,
    // No time brings units.
    reporting,
  },
  name: 'balance',
  code: 'ba',
  twin: 'ba',
  packing: {
    path: (policy) => ((tellingOf(policy) ?? TELLING.charge) === TELLING.charge && !splits(policy) ? 'ba' : undefined),
    unpack: (numbers, position) => plainAccount(numbers[position]!),
    emit: emitBalance,
  },

  /** What has ended is written by the next request, and what is told later without a charge. */
  isAhead(stored, now, policy) {
    if (tellingOf(policy) === TELLING.later && stored.low > leftIn(stored)) return true;
    return isOld(stored, now);
  },

  read(stored = EMPTY, now, policy) {
    const account = upToDate(stored, now);
    return account === stored && tellingOf(policy) !== TELLING.later ? account : lowered(account, now, policy);
  },

  wait(account, _now, _policy, cost) {
    return cost <= leftIn(account) ? 0 : NEVER;
  },

  remaining(account) {
    return leftIn(account);
  },

  charge(account, now, policy, cost) {
    const units = Math.min(cost, leftIn(account));
    return lowered(units === 0 ? account : spend(account, units, now), now, policy);
  },

  describe(account, now, policy, result): BalanceRuling & LowRuling {
    const { charged, retryAfter, stored = EMPTY } = result as typeof result & { readonly stored?: Account };
    const remaining = leftIn(account);
    const { quota } = policy;
    const ruling = { charged, limit: quota, remaining, retryAfter, replenishAfter: 0, resetAfter: 0, delay: 0 };
    const receipt = charged > 0 ? take(upToDate(stored, now).grants, charged).receipt : 0;
    // A peek tells nothing.
    const isSaved = (result as Partial<Candidate>).changed === true;
    const low = isSaved ? marksBetween(policy, remaining, stored.low) : [];
    return {
      ...ruling,
      ...(receipt > 0 && { before: receipt }),
      ...(low.length > 0 && { low }),
      ...(account.ended > 0 && { ended: account.ended }),
    };
  },

  refund(stored, now, policy, { units, at, before = 0 }) {
    const account = upToDate(stored, now);
    const given = isRefundable(at, now) ? Math.min(units, MAX_BALANCE - leftIn(account)) : 0;
    if (given === 0) return { state: stored, given };
    const after = refund(account, given, before, { at, now });
    return { state: tellingOf(policy) === undefined ? lowered(after, now, policy) : after, given };
  },

  expiresAt(account) {
    return forgottenAt(account);
  },

  /** A full store forgets no units, and no id. */
  staysUntil(account) {
    return forgottenAt(account);
  },

  terms(account) {
    return { form: 'balance', left: leftIn(account) };
  },

  tell: balanceOutcome,

  group: covering,

  revive: revived,
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

/** What a balance is made of. */
export interface BalanceTerms {
  /** The tiers in whose place it pays. @default it pays for each request */
  readonly covers?: readonly string[] | undefined;
  /** It pays the rest of a cost that the covered tier holds in part. */
  readonly split?: boolean | undefined;
  /** Units at which it gives notice, in falling order. */
  readonly lowBalance?: readonly number[] | undefined;
  readonly onLowBalance?: OnLowBalance | undefined;
}

/** The policy of a balance. */
export function balancePolicy({ covers, split = false, lowBalance, onLowBalance }: BalanceTerms): Policy {
  const alone = lowBalance === undefined ? plain : withMarks({ lowBalance, onLowBalance });
  if (covers === undefined) return alone;
  const paid: Covering = { tiers: covers, text: `covers ${covers.join(' ')}${split ? ', split' : ''}` };
  const { algorithm } = alone;
  const facets = { ...algorithm.facets, covering: paid };
  const numbers = split ? [1e3, MAX_COST, tellingOf(alone) ?? TELLING.none, 1] : alone.numbers;
  return Object.freeze({ ...alone, algorithm: { ...algorithm, facets }, numbers, settling: alone });
}

function withMarks(marks: Pick<LowPolicy, 'lowBalance' | 'onLowBalance'>): LowPolicy {
  const noticing: Noticing<LowPolicy> = { apart: heldLow, reachedBy: lowReached };
  const algorithm = { ...balanceAlgorithm, facets: { ...balanceAlgorithm.facets, noticing } };
  return Object.freeze({ ...plain, algorithm, ...marks, numbers: [...plain.numbers, TELLING.charge] });
}

/** Down to which units marks were told, once a balance holds fewer. */
function lowered(account: Account, now: number, policy: Policy): Account {
  const left = leftIn(account);
  const telling = tellingOf(policy);
  if (telling === TELLING.held) return account;
  const low = telling === undefined ? left : Math.min(account.low, left);
  return low === account.low ? account : { ...account, low, at: now };
}
