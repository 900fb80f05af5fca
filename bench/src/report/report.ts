import type { Environment } from '../environment.js';
import type { Footprint, PartName, Table } from '../parts/bench.js';

/** All that a run has found, as results.json has it. */
export interface Report {
  readonly mode: string;
  readonly parts: readonly PartName[];
  readonly environment: Environment;
  /** What has sent the requests of HTTP. */
  readonly generator?: string | undefined;
  readonly minutes: number;
  readonly tables: readonly Table[];
  readonly footprints: readonly Footprint[];
}

/** The tables of a part. */
export function tablesOf({ tables }: Report, part: PartName): readonly Table[] {
  return tables.filter((table) => table.part === part);
}
