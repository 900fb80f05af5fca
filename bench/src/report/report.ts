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
  /** Later runs of some parts, whose results have replaced those of this run. */
  readonly reruns?: readonly Rerun[];
}

export interface Rerun extends Pick<Report, 'mode' | 'parts' | 'minutes'> {
  readonly date: string;
  readonly commit: string;
}

/** The tables of a part. */
export function tablesOf({ tables }: Report, part: PartName): readonly Table[] {
  return tables.filter((table) => table.part === part);
}

/** A whole run with the results of a later one of some parts in place of its own. */
export function withRerun(whole: Report, later: Report): Report {
  const { mode, parts, minutes, environment, tables, footprints } = later;
  const isKept = ({ where, contestant }: Footprint) =>
    !footprints.some((other) => other.where === where && other.contestant === contestant);
  const earlier = (whole.reruns ?? []).flatMap((rerun) => {
    const left = rerun.parts.filter((part) => !parts.includes(part));
    return left.length === 0 ? [] : [{ ...rerun, parts: left }];
  });
  return {
    ...whole,
    tables: [...whole.tables.filter(({ part }) => !parts.includes(part)), ...tables],
    footprints: [...whole.footprints.filter(isKept), ...footprints],
    reruns: [...earlier, { mode, parts, minutes, date: environment.date, commit: environment.commit }],
  };
}

/** The major version of the Node that was measured. */
export function majorOf({ environment }: Report): number {
  return Number(/^v(\d+)/.exec(environment.node)![1]);
}
