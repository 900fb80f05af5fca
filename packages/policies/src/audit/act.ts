import { UsageError } from '@sluice/core';
import type { AuditEvent } from '@sluice/core/internal';
import type { OptionRows } from '@sluice/http/adapter';
import { OVERRIDE_ROWS } from '../overrides/read-override.js';

export { readMoment } from '../overrides/read-moment.js';

/** What a person has changed: see `sluice:audit`. */
export type Act = AuditEvent;

/** An act before the store has said when it was. */
export type NewAct = Omit<Act, 'at'>;

/** Who changes something, and why. */
export interface Author {
  /** 1 to 100 characters on one line. @default nobody is known */
  readonly by?: string | undefined;
  /** 1 to 200 characters on one line. */
  readonly reason?: string | undefined;
  /** Names the act: a repetition under the same id changes nothing. @default a random one */
  readonly id?: string | undefined;
}

export const ID_ROW = {
  is: /^[\w.:-]{1,64}$/,
  words: '1 to 64 of A-Z, a-z, 0-9, _, ., : and -, such as ticket-4711-1',
} as const;

export const AUTHOR_ROWS = {
  by: OVERRIDE_ROWS.by,
  reason: { is: OVERRIDE_ROWS.reason.is, words: OVERRIDE_ROWS.reason.words },
  id: ID_ROW,
} as const satisfies OptionRows;

/** The text of an act, to which a script adds its time. The id comes first, by which scripts find it. */
export function openAct({ id, operation, by, reason, tiers, partition, detail }: NewAct): string {
  return `${JSON.stringify({ id, operation, by, reason, tiers, partition, detail }).slice(0, -1)},"at":`;
}

export function actText({ at, ...act }: Act): string {
  return `${openAct(act)}${at}}`;
}

/** The act of a row. Undefined for what another program has written. */
export function actIn(text: string): Act | undefined {
  try {
    const act = JSON.parse(text) as Act;
    const isAct = typeof act.id === 'string' && Number.isSafeInteger(act.at) && Array.isArray(act.tiers);
    return isAct ? act : undefined;
  } catch {
    // Text that is not JSON is not ours.
    return undefined;
  }
}

/** The act that a repetition has found. It answers what happened then. @throws UsageError for an id that names another act */
export function repeatedAct(call: string, known: Act | undefined, wanted: NewAct): Act {
  if (known !== undefined && askedOf(known) === askedOf(wanted)) return known;
  throw new UsageError('USAGE_INVALID', `${call}: id names another change of this client: write a new id`);
}

/**
 * What was asked, by whom and why. It leaves out what is found in the store each time: which tiers have something to forget, a limit that
 * is counted from that of the tier, and an end that is counted from now.
 */
function askedOf({ operation, by, reason, tiers, partition, detail = {} }: NewAct): string {
  const { limit, until, more, lasts, ...others } = detail;
  const where = operation === 'forget' ? [] : [tiers, partition];
  const what = {
    ...others,
    limit: more === undefined ? limit : undefined,
    until: lasts === undefined ? until : undefined,
  };
  return JSON.stringify([operation, by, reason, where, more, lasts, what]);
}

/** Newest first, each act once. */
export function mergedActs(lists: readonly (readonly Act[])[]): readonly Act[] {
  const acts = new Map(lists.flat().map((act) => [nameOf(act), act]));
  return [...acts.values()].toSorted((one, other) => other.at - one.at || (one.id < other.id ? 1 : -1));
}

/** One id may name the credits of several clients. A reconciliation is named by its number in one balance. */
export function nameOf({ id, at, operation, partition, tiers }: Act): string {
  return JSON.stringify([id, at, operation, partition, tiers.map(({ tier, digest }) => [tier, digest])]);
}
