import type { Reconciliation } from './credit.js';
import { DEFAULT_ORDER, giveBack, hasEnded, sumOf, take, type Granted } from './grants.js';
import { post, type Postings } from './posted.js';

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
export const STORED_MS = 30 * 24 * HOUR_MS;

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

/** @param units below 0 for a refund. @param charged when the units were charged */
function spentIn({ spent }: Account, units: number, charged: number, now: number): Account['spent'] {
  const hour = hourOf(charged);
  const oldest = hourOf(now) - HOURS;
  const others = spent.filter((each) => each[0] !== hour && each[0] > oldest);
  const [, before = 0] = spent.find((each) => each[0] === hour) ?? [];
  return hour > oldest ? [...others, [hour, before + units]] : others;
}
