import type { Environment } from '../environment.js';
import type { Footprint, PartName, Table } from '../parts/bench.js';

/** The results of a run, as in node-24.json. */
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

/** The major version of the Node that was measured. */
export function majorOf({ environment }: Report): number {
  return Number(/^v(\d+)/.exec(environment.node)![1]);
}
