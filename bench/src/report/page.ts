import { counts, type Row } from '../measure/row.js';
import type { Footprint, PartName, Table } from '../parts/bench.js';
import { fine, percent, times, whole } from './figures.js';
import type { Report } from './report.js';
import { toTable } from './table.js';

type Figure = readonly [head: string, of: (row: Row) => string];

/** A spread up to this part is usual. */
const USUAL = 0.1;

const spreadOf = ({ spread }: Row) => (spread > USUAL ? ` ±${percent(spread)}` : '');
const rate = (row: Row) => `${times(row.ratio)}${spreadOf(row)}`;
const cpu = (row: Row) => `${times(row.cpuRatio)}${spreadOf(row)}`;

/** What the page says of each row. `results.json` has the other figures. */
const FIGURES: Partial<Record<PartName, readonly Figure[]>> = {
  scripts: [['', (row) => `${times(row.redisCpuRatio)}${spreadOf(row)}`]],
  http: [
    ['requests/s', rate],
    ['CPU', ({ cpuRatio }) => times(cpuRatio)],
  ],
  unsent: [['', cpu]],
  cold: [
    ['requests/s', rate],
    ['start ms', ({ startTime }) => fine(startTime ?? NaN)],
  ],
  imports: [['', cpu]],
};

/** The part of a title in which the tables of one comparison differ. */
const VARYING =
  /\d+ in flight\b(?! each)|\d+ process(?:es)?|[\d ]+(?= keys in Redis)|(?:Express|Fastify)(?:, (?:memory|Redis))?/;

/** The page of a run: one table for each comparison, with a column for each load. */
export function resultsPage({ environment: of, tables, footprints, generator, ...report }: Report): string {
  const packages = Object.entries(of.packages).map(([name, version]) => `${name} ${version}`);
  const comparisons = [...new Set(tables.map(({ title }) => commonTitle(title)))].map((common) => ({
    common,
    compared: tables.filter(({ title }) => commonTitle(title) === common),
  }));
  const sections = [
    '# Results',
    'Written by `npm run bench`. A figure is a multiple of the reference; ± is its spread, where it is above 10 %. ' +
      '[Benchmarks](README.md) have the targets, and [results.json](results.json) the rates, latencies, CPU and bytes.',
    [
      `- ${of.date}, ${report.mode} mode, ${report.minutes.toFixed(0)} minutes${of.commit ? `, commit ${of.commit}` : ''}`,
      `- ${of.cores} cores ${of.cpu}, ${of.gibibytes} GiB, ${of.system}, Node ${of.node}, ${of.redis}`,
      `- ${of.placement}`,
      ...(generator ? [`- HTTP by ${generator}`] : []),
      `- ${packages.join(', ')}`,
    ].join('\n'),
    ...comparisons.flatMap(({ common, compared }) => [`## ${common}`, comparison(compared), ...troubles(compared)]),
    ...(footprints.length > 0 ? ['## Bytes a key', footprintTable(footprints)] : []),
  ];
  return `${sections.join('\n\n')}\n`;
}

function comparison(tables: readonly Table[]): string {
  const columns = tables
    .toSorted((one, other) => (one.x ?? one.inFlight ?? 0) - (other.x ?? other.inFlight ?? 0))
    .flatMap(({ part, title, rows }) =>
      (FIGURES[part] ?? [['', rate] as const]).map(([head, of]) => {
        const varying = tables.length > 1 ? (VARYING.exec(title)?.[0].trim() ?? '') : '';
        const found = (name: string) => rows.find(({ contestant }) => contestant === name);
        return { head: `${varying} ${head}`.trim() || 'x reference', found, of };
      }),
    );
  const rows = [...new Map(tables.flatMap((table) => table.rows).map((row) => [row.contestant, row])).values()];
  const known = ({ found }: (typeof columns)[number]) => rows.filter(({ contestant }) => found(contestant)).length;
  const fullest = columns.toSorted((one, other) => known(other) - known(one))[0]!;
  const worth = ({ contestant, ratio }: Row) => fullest.found(contestant)?.ratio ?? ratio;
  return toTable(
    ['', ...columns.map(({ head }) => head)],
    rows
      .toSorted((one, other) => worth(one) - worth(other))
      .map(({ contestant, kind }) => [
        named(contestant, kind),
        ...columns.map(({ found, of }) => {
          const row = found(contestant);
          return row && counts(row) ? of(row) : '';
        }),
      ]),
  );
}

function commonTitle(title: string): string {
  const common = title.replace(VARYING, '').replaceAll(/\s+,/g, ',').replaceAll(/:\s*,/g, ':');
  const words = common.replaceAll(/^[\s,:]+|[\s,:]+$/g, '').replace(/\s+/g, ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

function footprintTable(footprints: readonly Footprint[]): string {
  const names = [...new Map(footprints.map(({ contestant, kind }) => [contestant, kind]))];
  const bytes = (name: string, place: Footprint['where']) =>
    whole(footprints.find(({ contestant, where }) => contestant === name && where === place)?.bytes ?? NaN);
  return toTable(
    ['', 'Redis', 'heap'],
    names.map(([name, kind]) => [named(name, kind), bytes(name, 'redis'), bytes(name, 'heap')]),
  );
}

function named(contestant: string, kind: Row['kind']): string {
  return kind === 'sluice' ? `**${contestant}**` : contestant;
}

function troubles(tables: readonly Table[]): readonly string[] {
  const lines = tables.flatMap(({ title, rows }) =>
    rows.flatMap(({ contestant, trouble }) =>
      trouble === undefined ? [] : [`- ${contestant} is not counted (${title}): ${trouble}`],
    ),
  );
  return lines.length === 0 ? [] : [lines.join('\n')];
}
