import type { Acting, ActValues, KeyAct } from '@sluice/core/internal';
import { type Account, EMPTY, leftIn, reconcile } from './account.js';
import type { Credit, Credited, CreditedState, Reconciliation } from './credit.js';
import { credit } from './credited-account.js';
import { DEFAULT_ORDER } from './grants.js';

const TOO_MUCH = -1;
const TOO_MANY = -2;

/** What is done with a balance beside requests: the twins of credit.lua, reconcile.lua and end-grants.lua. */
export const balanceActs: Acting<Account> = {
  credit(stored = EMPTY, [units, id, expiresAt, order, tells, note], now) {
    const added = { units, id, expiresAt, order, tells: tells === 1, note } as Credit;
    const after = credit(stored, added, now);
    return { state: after?.state, reply: replyOf(after, stored) };
  },

  reconcile(stored = EMPTY, [units, since, note], now) {
    const state = reconcile(stored, { units, since, note } as Reconciliation, now);
    return { state, reply: [leftIn(state)] };
  },

  'end-grants'(stored, [tells], now) {
    if (stored === undefined) return { state: undefined, reply: [0, 0, 0] };
    const { state } = credit(stored, { units: 0, id: '', tells: tells === 1 }, now)!;
    return { state, reply: [leftIn(state), leftIn(stored) - leftIn(state), stored.low] };
  },
};

export function endAct(tells: boolean): KeyAct {
  return { name: 'end-grants', args: [tells ? 1 : 0] };
}

export function creditAct({ units, id, expiresAt = 0, order = DEFAULT_ORDER, tells, note = '' }: Credit): KeyAct {
  return { name: 'credit', args: [units, id, expiresAt, order, tells === true ? 1 : 0, note] };
}

export function reconcileAct({ units, since, note = '' }: Reconciliation): KeyAct {
  return { name: 'reconcile', args: [units, since, note] };
}

/** What a reply says of a credit. Undefined where the balance would hold too much. */
export function creditedBy(reply: ActValues, added: Credit): Credited | undefined {
  const [balance, ...facts] = reply as readonly [number, ...number[]];
  if (balance === TOO_MUCH) return undefined;
  if (balance === TOO_MANY)
    return { balance: 0, isNew: false, units: 0, full: { endsAt: facts[0]!, units: facts[1]! } };
  const [isNew, units, rest, low, posted, ...postings] = facts;
  return {
    balance,
    isNew: isNew === 1,
    units: units === 0 && added.units !== 0 ? undefined : units!,
    ...(rest! > 0 && { rest: rest! }),
    ...(added.tells === true && { low: low! }),
    ...(posted !== undefined && { posted, postings: postings.map(String) }),
  };
}

function replyOf(after: CreditedState<Account> | undefined, stored: Account): ActValues {
  if (after === undefined) return [TOO_MUCH];
  const { balance, isNew, units = 0, rest = 0, full, posted, postings = [] } = after.credited;
  if (full !== undefined) return [TOO_MANY, full.endsAt, full.units];
  const shown = posted === undefined ? [] : [posted, ...postings];
  return [balance, Number(isNew), units, rest, stored.low, ...shown];
}
