import { hash } from 'node:crypto';
import { HOUR_MS } from '../../model/usage.js';

/** What an identity has used of a tier in an hour. */
export interface UsageRow {
  /** The same in each export of this hour of this identity and tier: 22 characters. */
  readonly id: string;
  /** The name of the tier. */
  readonly tier: string;
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

/** Takes rows, perhaps again. It resolves when they are stored. */
export type UsageSink = (rows: readonly UsageRow[]) => unknown;

const ID_LENGTH = 22;

/** The row of an hour. @param key of the tier, in the store */
export function rowOf(
  key: string,
  hour: number,
  row: Pick<UsageRow, 'tier' | 'digest' | 'units' | 'revision'>,
): UsageRow {
  const id = hash('sha256', `${key} ${hour}`, 'base64url').slice(0, ID_LENGTH);
  return { id, ...row, from: hour * HOUR_MS, to: (hour + 1) * HOUR_MS };
}
