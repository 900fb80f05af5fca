import type { Credit, CreditedState, Reconciliation } from '@sluice/core/internal';

/** What a balance holds, and what tells a repeated credit from a new one. Times are milliseconds since 1970. */
export interface Account {
  /** Units. */
  readonly left: number;
  /** When it has changed last. */
  readonly at: number;
  /** The digests of the ids of the last credits, each with its time and its units, which an earlier version has left out. */
  readonly credits: readonly (readonly [id: string, at: number, units?: number])[];
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

export const EMPTY: Account = Object.freeze({ left: 0, at: 0, credits: [], spent: [] });

/** When the account can be forgotten: never while it has units. */
export function forgottenAt({ left, at }: Account): number {
  return left > 0 ? Infinity : at + STORED_MS;
}

/** @param units below 0 for a refund. @param charged when the units were charged */
export function spend(account: Account, units: number, charged: number, now: number): Account {
  const hour = hourOf(charged);
  const oldest = hourOf(now) - HOURS;
  const others = account.spent.filter((each) => each[0] !== hour && each[0] > oldest);
  const [, before = 0] = account.spent.find((each) => each[0] === hour) ?? [];
  const spent = hour > oldest ? [...others, [hour, before + units] as const] : others;
  return { ...account, left: account.left - units, at: now, spent };
}

/** The same account for an id that was counted. Undefined if it would hold too much. */
export function credit(account: Account, { units, id }: Credit, now: number): CreditedState<Account> | undefined {
  const known = account.credits.filter(([, at]) => at > now - STORED_MS);
  const counted = known.find((each) => each[0] === id);
  if (counted !== undefined) {
    return { state: account, credited: { balance: account.left, isNew: false, units: counted[2] } };
  }
  const balance = account.left + units;
  if (balance > MAX_BALANCE) return undefined;
  const credits = [...known.toSorted(byTime).slice(1 - MAX_CREDITS), [id, now, units] as const];
  return { state: { ...account, left: balance, at: now, credits }, credited: { balance, isNew: true, units } };
}

/** Sets the units to those of a ledger, less what was spent in the hours that it does not know. */
export function reconcile(account: Account, { units, since }: Reconciliation, now: number): Account {
  const unknown = account.spent.filter(([hour]) => hour >= since);
  const spent = unknown.reduce((sum, each) => sum + each[1], 0);
  return { ...account, left: Math.min(MAX_BALANCE, Math.max(0, units - spent)), at: now };
}

/** True for units that a refund can give back. An account without units is forgotten then. */
export function isRefundable(charged: number, now: number): boolean {
  return charged > now - STORED_MS;
}

export function hourOf(milliseconds: number): number {
  return Math.floor(milliseconds / HOUR_MS);
}

/** Oldest first. The id decides within a millisecond, in both languages. */
function byTime([oneId, one]: Account['credits'][number], [otherId, other]: Account['credits'][number]): number {
  return one - other || (oneId < otherId ? -1 : 1);
}
