import { hash } from 'node:crypto';
import { endOf, HOUR_MS } from '@sluice/core/internal';
import type { KeptRows } from './kept-rows.js';

/** What an identity has used of a tier in an hour. */
export interface UsageRow {
  /** The same in each export of this hour of this identity and tier: 22 characters. */
  readonly id: string;
  /** The `source` of the export, such as a region. Undefined without one. */
  readonly source: string | undefined;
  /** The name of the tier. */
  readonly tier: string;
  /** The digest of the partition. Undefined for a limiter without `partition`. */
  readonly partition: string | undefined;
  /** The text of `label` of the tier, such as the number of the customer. Undefined without one. */
  readonly label: string | undefined;
  /** Of the identity, as in the keys of the store: `limitersOf(store)` makes it of an identity. */
  readonly digest: string;
  /** When the hour begins, in milliseconds since 1970. */
  readonly from: number;
  /** When it ends. */
  readonly to: number;
  /** All units of the hour, and not only those since the last export. */
  readonly units: number;
  /** Rises from export to export. Of two rows of one `id` the higher revision is right. */
  readonly revision: number;
}

/**
 * Takes rows, perhaps again. It resolves when they are stored, with `{ kept }` for those that it could not store yet: these
 * stay due. If it rejects, all of them do.
 *
 * @param context its signal aborts when the export does not wait for the rows any more: after 5 minutes, or when it was closed
 */
export type UsageSink = (rows: readonly UsageRow[], context: SinkContext) => unknown;

export interface SinkContext {
  readonly signal: AbortSignal;
}

/** A sink that reports the rows which it could not store. */
export type BillingSink = (rows: readonly UsageRow[], context: SinkContext) => Promise<KeptRows>;

const ID_LENGTH = 22;

/** The row of an hour. @param owner a text that no other usage has */
export function rowOf(owner: string, hour: number, row: Omit<UsageRow, 'id' | 'from' | 'to'>): UsageRow {
  const place = row.source === undefined ? '' : `${row.source} `;
  const id = hash('sha256', `${place}${owner} ${hour}`, 'base64url').slice(0, ID_LENGTH);
  return { id, ...row, from: hour * HOUR_MS, to: endOf(hour) };
}
