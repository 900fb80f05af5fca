import type { Credit, Credited, CreditedState, Reconciliation } from './credit.js';
import { DEFAULT_ORDER, endsNext, giveBack, grant, hasEnded, sumOf, take, type Granted } from './grants.js';
import { post, postedText, type Postings } from './posted.js';

/** What a balance holds, and what tells a repeated credit from a new one. Times are milliseconds since 1970. */
export interface Account extends Granted, Postings {
  /** The units down to which marks were told: what it holds, or more where nobody was told yet, or less after refunds. */
  readonly low: number;
  /** When units have ended last, and how many since the last credit; 0: none. */
  readonly ended: number;
  readonly endedUnits: number;
  /** When it has changed last. */
  readonly at: number;
  /** The digests of the ids of the last credits and debits: their time, their units and what a debit did not find. */
  readonly credits: readonly (readonly [id: string, at: number, units?: number, rest?: number])[];
  /** Units spent in the last hours, less those refunded: by the hour since 1970 of the charge. */
  readonly spent: readonly (readonly [hour: number, units: number])[];
}

/** Balances are integers that Redis, Lua and JavaScript add exactly. */
export const MAX_BALANCE = 2 ** 52;
export const HOUR_MS = 3.6e6;
/** Hours whose spent units are stored. */
export const HOURS = 48;
/** How long an id is stored, and an account without units. */
const STORED_MS = 30 * 24 * HOUR_MS;
/** Ids of one account. */
const MAX_CREDITS = 64;

export const EMPTY: Account = Object.freeze({
  grants: [],
  granted: 0,
  low: 0,
  ended: 0,
  endedUnits: 0,
  at: 0,
  credits: [],
  spent: [],
  posted: 0,
  postings: [],
});

/** An account that has units without an end alone, as all of an earlier version. */
export function plainAccount(left: number): Account {
  const grants = left === 0 ? [] : [{ number: 0, order: DEFAULT_ORDER, ends: 0, left }];
  return { ...EMPTY, low: left, grants };
}

export function leftIn({ grants }: Account): number {
  return sumOf(grants);
}

/** When the account can be forgotten: never while it has units. */
export function forgottenAt(account: Account): number {
  return leftIn(account) > 0 ? Infinity : account.at + STORED_MS;
}

/** True for an account with units that are worth nothing any more. */
export function isOld({ grants }: Account, now: number): boolean {
  return grants.some((each) => each.left > 0 && hasEnded(each, now));
}

/** Without the grants that have ended, whose units are postings. */
export function upToDate(account: Account, now: number): Account {
  if (!account.grants.some((each) => hasEnded(each, now))) return account;
  let after = { ...account, at: now };
  for (const each of account.grants) {
    if (!hasEnded(each, now)) continue;
    after.grants = after.grants.filter((other) => other !== each);
    if (each.left === 0) continue;
    after.ended = Math.max(after.ended, each.ends);
    after.endedUnits += each.left;
    const { ends, order } = each;
    after = post(after, { kind: 'expiry', at: now, units: -each.left, balance: leftIn(after), ends, order, note: '' });
  }
  return after;
}

/** @param units at most what it has */
export function spend(account: Account, units: number, now: number): Account {
  const { grants } = take(account.grants, units);
  return { ...account, grants, at: now, spent: spentIn(account, units, now, now) };
}

/** Gives units of a receipt back. Those whose grant has ended are lost. */
export function refund(account: Account, units: number, receipt: number, { at, now }: Refunded): Account {
  const { grants, lost } = giveBack(account.grants, units, receipt);
  const after = { ...account, grants, at: now, spent: spentIn(account, -units, at, now) };
  if (lost === 0) return after;
  return post(after, { kind: 'lost', at: now, units: -lost, balance: leftIn(after), ends: 0, order: 0, note: '' });
}

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

/** Sets the units to those of a ledger, less what was spent in the hours that it does not know. */
export function reconcile(stored: Account, { units, since, note = '' }: Reconciliation, now: number): Account {
  const account = upToDate(stored, now);
  const unknown = account.spent.filter(([hour]) => hour >= since);
  const spent = unknown.reduce((sum, each) => sum + each[1], 0);
  const before = leftIn(account);
  const balance = Math.min(MAX_BALANCE, Math.max(0, units - spent));
  const grants =
    balance < before
      ? take(account.grants, before - balance).grants
      : giveBack(account.grants, balance - before, 0).grants;
  // Marks that it falls below are told by what comes next.
  const after = { ...account, grants, at: now, low: Math.max(account.low, balance) };
  return post(after, { kind: 'reconcile', at: now, units: balance - before, balance, ends: 0, order: 0, note });
}

/** True for units that a refund can give back. An account without units is forgotten then. */
export function isRefundable(charged: number, now: number): boolean {
  return charged > now - STORED_MS;
}

export function hourOf(milliseconds: number): number {
  return Math.floor(milliseconds / HOUR_MS);
}

interface Refunded {
  /** When the units were charged. */
  readonly at: number;
  readonly now: number;
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

/** @param units below 0 for a refund. @param charged when the units were charged */
function spentIn({ spent }: Account, units: number, charged: number, now: number): Account['spent'] {
  const hour = hourOf(charged);
  const oldest = hourOf(now) - HOURS;
  const others = spent.filter((each) => each[0] !== hour && each[0] > oldest);
  const [, before = 0] = spent.find((each) => each[0] === hour) ?? [];
  return hour > oldest ? [...others, [hour, before + units]] : others;
}

/** Oldest first. The id decides within a millisecond, in both languages. */
function byTime([oneId, one]: Account['credits'][number], [otherId, other]: Account['credits'][number]): number {
  return one - other || (oneId < otherId ? -1 : 1);
}
