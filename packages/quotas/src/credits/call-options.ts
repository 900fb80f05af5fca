import { digestOf, isLine, type Key, kindOf, show, UsageError } from '@sluice/core/internal';
import { HOUR_MS, HOURS, hourOf, MAX_BALANCE } from './account.js';
import { DEFAULT_ORDER, MAX_ORDER } from './grants.js';
import type { PostingNote } from './posting.js';

/** Which balance of a subject. */
export interface BalanceChoice {
  /** The name of the tier. @default the only balance of the limiter */
  tier?: string | undefined;
}

/** The same of an identity. */
export interface IdentityChoice {
  /** The identity of its partition, for a limiter with `partition`. */
  partition?: Key | undefined;
}

/** Why a balance changes. The postings show it, so write no personal data that you must not store. */
export interface ActOptions {
  /** Who changes it: 1 to 100 characters on one line. @default the program */
  by?: string | undefined;
  /** Why: 1 to 200 characters on one line. */
  reason?: string | undefined;
}

export interface DebitOptions extends BalanceChoice, ActOptions {
  /** Names the credit or debit: 1 to 256 characters, such as the number of its invoice. Each id counts once. */
  id: string;
}

export interface CreditOptions extends DebitOptions {
  /** When the units end: a Date, or milliseconds since 1970. @default never */
  expiresAt?: Date | number | undefined;
  /**
   * An integer from 0 to 100: units of a lower order are spent first, whatever their ends are. Give units that you have given
   * away a lower one than those that were paid for.
   *
   * @default 50
   */
  order?: number | undefined;
}

export interface ReconcileOptions extends BalanceChoice, ActOptions {
  /**
   * The moment up to which the ledger has what was spent: the start of an hour of the last 47, because the store knows by the
   * hour what was spent. It subtracts what was spent since, so that a customer who spends meanwhile gets nothing back.
   */
  asOf: Date | number;
}

export const ACT_OPTIONS = ['by', 'reason', 'tier'] as const;
const MAX_ID = 256;
const LINES = { by: [100, "'ada'"], reason: [200, "'ticket 4711'"] } as const;
const PLAIN_ID = /^[\w.:-]{1,64}$/;

/** The digest of an id, and what its posting says. @throws UsageError */
export function readAct(call: string, options: Partial<DebitOptions>): { readonly id: string; readonly note: string } {
  const { id } = options;
  if (typeof id !== 'string' || id === '' || id.length > MAX_ID) {
    const rule = `must be a text of 1 to ${MAX_ID} characters that names the ${call}, such as the number of its invoice`;
    throw invalid(`${call}: id ${rule}, got ${kindOf(id)}`);
  }
  const digest = digestOf(id);
  return { id: digest, note: noteOf(call, { ...options, id: PLAIN_ID.test(id) ? id : digest }) };
}

/** @throws UsageError */
export function noteOf(call: string, { id, by, reason }: PostingNote): string {
  for (const [name, text] of [
    ['by', by],
    ['reason', reason],
  ] as const) {
    const [most, example] = LINES[name];
    if (text === undefined || isLine(text, most)) continue;
    throw invalid(
      `${call}: ${name} must be a text of 1 to ${most} characters on one line, such as ${example}, got ${kindOf(text)}`,
    );
  }
  return id === undefined && by === undefined && reason === undefined ? '' : JSON.stringify({ id, by, reason });
}

/** When the units of a credit end, or 0. @throws UsageError */
export function endOf(expiresAt: unknown, now: number): number {
  if (expiresAt === undefined) return 0;
  const moment = expiresAt instanceof Date ? expiresAt.getTime() : expiresAt;
  if (typeof moment === 'number' && Number.isSafeInteger(moment) && moment > now && moment <= 8.64e15) return moment;
  const example = new Date(now + 30 * 24 * HOUR_MS).toISOString();
  const rule = `must be a moment after now, a Date or milliseconds since 1970, such as new Date('${example}')`;
  throw invalid(
    `credit: expiresAt ${rule}, got ${expiresAt instanceof Date ? String(expiresAt.getTime()) : show(expiresAt)}`,
  );
}

/** @throws UsageError */
export function orderOf(order: unknown = DEFAULT_ORDER): number {
  if (Number.isInteger(order) && (order as number) >= 0 && (order as number) <= MAX_ORDER) return order as number;
  throw invalid(
    `credit: order must be an integer from 0 to ${MAX_ORDER}, of which lower ones are spent first, got ${show(order)}`,
  );
}

/** The hour since 1970 that begins then. @throws UsageError */
export function hourAt(asOf: Date | number | undefined, now: number): number {
  const moment = asOf instanceof Date ? asOf.getTime() : (asOf ?? NaN);
  const hour = hourOf(moment);
  const age = hourOf(now) - hour;
  // The clock of the store may be in another hour.
  if (hour * HOUR_MS === moment && age >= 0 && age < HOURS) return hour;
  const example = new Date(hourOf(now) * HOUR_MS).toISOString();
  if (asOf === undefined) {
    const rule = `is missing: it is the hour up to which the ledger has what was spent, such as new Date('${example}')`;
    throw invalid(`reconcile: asOf ${rule}`);
  }
  const rule = `must be the start of an hour of the last ${HOURS - 1}, such as new Date('${example}')`;
  throw invalid(`reconcile: asOf ${rule}, because what was spent is known by the hour, got ${show(Number(asOf))}`);
}

/** @throws UsageError */
export function checkUnits(call: string, units: unknown, least: number): void {
  if (typeof units === 'number' && Number.isSafeInteger(units) && units >= least && units <= MAX_BALANCE) return;
  throw invalid(`${call}: units must be an integer from ${least} to ${MAX_BALANCE}, got ${show(units)}`);
}

export function invalid(message: string): UsageError {
  return new UsageError('USAGE_INVALID', message);
}
