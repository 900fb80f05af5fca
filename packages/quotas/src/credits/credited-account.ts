import { type Account, leftIn, MAX_BALANCE, STORED_MS, upToDate } from './account.js';
import type { Credit, Credited, CreditedState } from './credit.js';
import { DEFAULT_ORDER, endsNext, grant, take } from './grants.js';
import { post, postedText } from './posted.js';

/** Ids of one account. */
const MAX_CREDITS = 64;

/** Adds units, or takes some, once for each id. Undefined if it would hold too much. */
export function credit(stored: Account, added: Credit, now: number): CreditedState<Account> | undefined {
  const account = upToDate(stored, now);
  const known = account.credits.filter(([, at]) => at > now - STORED_MS);
  const counted = known.find((each) => each[0] === added.id);
  if (added.units === 0 || counted !== undefined) {
    const [, , units, rest = 0] = (added.units !== 0 && counted) || (['', 0, 0] as const);
    return credited(account, stored, { added, isNew: false, units, rest, now });
  }
  const after = added.units > 0 ? creditUnits(account, added, now) : debitUnits(account, added, now);
  if ('refused' in after) return after.refused && { state: stored, credited: after.refused };
  const rest = added.units > 0 ? 0 : leftIn(after) - leftIn(account) - added.units;
  const id = [added.id, now, added.units, ...(rest > 0 ? [rest] : [])] as unknown as Account['credits'][number];
  const credits = [...known.toSorted(byTime).slice(1 - MAX_CREDITS), id];
  return credited({ ...after, at: now, credits }, stored, { added, isNew: true, units: added.units, rest, now });
}

interface Refusal {
  /** Undefined where it would hold too much. */
  readonly refused: Credited | undefined;
}

function creditUnits(account: Account, added: Credit, now: number): Account | Refusal {
  const { units, expiresAt: ends = 0, order = DEFAULT_ORDER, note = '' } = added;
  const balance = leftIn(account) + units;
  if (balance > MAX_BALANCE) return { refused: undefined };
  const granted = grant(account, units, { ends, order });
  if (granted === undefined) {
    const next = endsNext(account.grants);
    const full = { endsAt: next?.ends ?? 0, units: next?.left ?? 0 };
    return { refused: { balance: balance - units, isNew: false, units: 0, full } };
  }
  const after = { ...account, ...granted, ended: 0, endedUnits: 0 };
  return post(after, { kind: 'credit', at: now, units, balance, ends, order, note });
}

function debitUnits(account: Account, { units, note = '' }: Credit, now: number): Account {
  const before = leftIn(account);
  const taken = Math.min(-units, before);
  const after = { ...account, grants: take(account.grants, taken).grants };
  const posting = {
    kind: 'debit',
    at: now,
    units: 0 - taken,
    balance: before - taken,
    ends: 0,
    order: 0,
    note,
  } as const;
  return post(after, posting);
}

interface Done {
  readonly added: Credit;
  readonly isNew: boolean;
  readonly units: number | undefined;
  readonly rest: number;
  readonly now: number;
}

function credited(account: Account, stored: Account, { added, isNew, units, rest, now }: Done): CreditedState<Account> {
  const balance = leftIn(account);
  const low = lowAfter(account, added, isNew);
  const told = added.tells === true ? { low: stored.low } : {};
  const { posted } = account;
  const shown = added.units === 0 ? { posted, postings: account.postings.map(postedText) } : {};
  const state = low === account.low ? account : { ...account, low, at: now };
  return { state, credited: { balance, isNew, units, ...(rest > 0 && { rest }), ...told, ...shown } };
}

/** Marks are told by who asks to tell them, and again after a credit alone. */
function lowAfter(account: Account, { units, tells }: Credit, isNew: boolean): number {
  const balance = leftIn(account);
  if (isNew && units > 0) return tells === true ? balance : Math.max(account.low, balance);
  return tells === true ? Math.min(account.low, balance) : account.low;
}

/** Oldest first. The id decides within a millisecond, in both languages. */
function byTime([oneId, one]: Account['credits'][number], [otherId, other]: Account['credits'][number]): number {
  return one - other || (oneId < otherId ? -1 : 1);
}
