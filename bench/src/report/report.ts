import type { Environment } from '../environment.js';
import type { Footprint, PartName, Table } from '../parts/bench.js';

/** The results of a run, as in results.json. */
export interface Report {
  readonly mode: string;
  readonly parts: readonly PartName[];
  readonly environment: Environment;
  /** The load generator of HTTP. */
  readonly generator?: string | undefined;
  readonly minutes: number;
  readonly tables: readonly Table[];
  readonly footprints: readonly Footprint[];
}

/** The tables of a part. */
export function tablesOf({ tables }: Report, part: PartName): readonly Table[] {
  return tables.filter((table) => table.part === part);
}
