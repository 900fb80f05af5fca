import { counts, fastestPeer, type Row } from '../measure/row.js';
import type { Table } from '../parts/bench.js';

/** A requirement, and the figure of a run. */
export interface Bar {
  readonly work: string;
  /** The compared work. */
  readonly measure: string;
  /** `least`: at least as much; `most`: at most. */
  readonly sense: 'least' | 'most';
  readonly must: number;
  readonly aim?: number;
  /** Undefined where the run did not measure it. */
  readonly measured: number | undefined;
  /** The contestant of the comparison. */
  readonly beside?: string | undefined;
  /** The reason for a missing figure. */
  readonly missing?: 'not measured' | 'not there yet';
}

export type Found = Pick<Bar, 'measured' | 'missing' | 'beside'>;

export const NOT_MEASURED: Found = { measured: undefined, missing: 'not measured' };
export const NOT_THERE: Found = { measured: undefined, missing: 'not there yet' };

export function rowNamed(table: Table | undefined, name: string): Row | undefined {
  const row = table?.rows.find(({ contestant }) => contestant === name);
  return row && counts(row) ? row : undefined;
}

/** False in a table of a run before there was this contestant. */
export function hasRow(table: Table | undefined, name: string): boolean {
  return table?.rows.some(({ contestant }) => contestant === name) === true;
}

export function toPeer(table: Table | undefined, name: string): Found {
  const measured = rowNamed(table, name)?.toFastestPeer;
  return measured === undefined ? NOT_MEASURED : { measured, beside: table && fastestPeer(table.rows)?.contestant };
}

/** Against the peer with the lowest. */
export function toLeast(table: Table | undefined, of: 'p50Ratio', name = 'Sluice fixed-window'): Found {
  const row = rowNamed(table, name);
  const peers = table?.rows.filter((each) => each.kind === 'peer' && counts(each)) ?? [];
  const [least] = peers.toSorted((one, other) => one[of] - other[of]);
  return row && least ? { measured: row[of] / least[of], beside: least.contestant } : NOT_MEASURED;
}

/** Against the peer that is ahead of the other peers. */
export function toFastest(table: Table | undefined, of: 'redisCpuRatio'): Found {
  const row = rowNamed(table, 'Sluice fixed-window');
  const peer = table && fastestPeer(table.rows);
  return row && peer ? { measured: row[of] / peer[of], beside: peer.contestant } : NOT_MEASURED;
}

/** Whether a bar is met; undefined where nothing was measured. */
export function isMet({ sense, must, measured }: Bar): boolean | undefined {
  if (measured === undefined) return undefined;
  return sense === 'least' ? measured >= must : measured <= must;
}

/** Whether even its aim is. */
export function isAimed({ sense, aim, measured }: Bar): boolean {
  if (measured === undefined || aim === undefined) return false;
  return sense === 'least' ? measured >= aim : measured <= aim;
}
