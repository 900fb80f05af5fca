import { counts, type Row } from '../measure/row.js';
import type { PartName, Table } from '../parts/bench.js';
import { barChart, lineChart, type Series } from './chart.js';
import { tablesOf, type Report } from './report.js';

export interface Picture {
  readonly file: string;
  readonly title: string;
  readonly svg: string;
}

/** Bars of the tables that the bars are about, and curves of what grows. */
export function picturesOf(report: Report): readonly Picture[] {
  return [
    ...[...tablesOf(report, 'redis'), ...tablesOf(report, 'tiers')]
      .filter(({ inFlight }) => inFlight === 64)
      .map((table) => bars(`${table.part}-${table.workload}`, table)),
    ...tablesOf(report, 'memory').map((table) => bars('memory', table)),
    ...tablesOf(report, 'http').map((table) => bars(table.title.includes('Express') ? 'express' : 'fastify', table)),
    ...curve(report, { part: 'processes', title: 'Checks a second, all processes together', across: 'processes' }),
    ...curve(report, { part: 'batches', title: 'Checks a second', across: 'checks in flight', logarithmic: true }),
    ...curve(report, {
      part: 'batches',
      file: 'batch-size',
      title: 'Checks that share a command',
      across: 'checks in flight',
      of: ({ commands }) => 1 / commands,
    }),
    ...curve(report, {
      part: 'keys',
      title: 'Checks a second, times the reference with 10 000 keys',
      across: 'keys',
      of: ({ ratio }) => ratio,
    }),
    ...curve(report, {
      part: 'keys',
      file: 'bytes-a-key',
      title: 'Bytes of Redis a key',
      across: 'keys',
      of: ({ bytesPerKey }) => bytesPerKey ?? NaN,
    }),
    ...curve(report, {
      part: 'keys',
      file: 'keys-latency',
      title: 'p50 latency, microseconds',
      across: 'keys',
      of: ({ p50 }) => p50,
    }),
  ].filter(({ svg }) => !svg.includes('NaN'));
}

function bars(name: string, { title, reference, rows }: Table): Picture {
  const shown = rows.filter(counts).map(({ contestant, kind, ratio }) => ({ label: contestant, kind, value: ratio }));
  return { file: `${name}.svg`, title, svg: barChart(`${title}: times ${reference}`, shown) };
}

interface Curve {
  readonly part: PartName;
  readonly file?: string;
  readonly title: string;
  readonly across: string;
  readonly of?: (row: Row) => number;
  readonly logarithmic?: boolean;
}

function curve(report: Report, options: Curve): Picture[] {
  const { part, file = part, title, across, logarithmic = false, of = ({ rate }) => rate } = options;
  const tables = tablesOf(report, part);
  if (tables.length < 2) return [];

  const names = [...new Set(tables.flatMap(({ rows }) => rows.map(({ contestant }) => contestant)))];
  const series: Series[] = names.map((name) => ({
    name,
    points: tables.flatMap(({ x, rows }) => {
      const row = rows.find(({ contestant }) => contestant === name);
      return row && counts(row) ? [[x!, of(row)] as const] : [];
    }),
  }));
  return [{ file: `${file}.svg`, title, svg: lineChart({ title, across, series, logarithmic }) }];
}
