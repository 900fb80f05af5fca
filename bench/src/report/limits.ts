import { REFERENCE } from '../contestants/index.js';
import { counts, type Row } from '../measure/row.js';
import type { Table } from '../parts/bench.js';
import { fine, times, whole } from './figures.js';
import { tablesOf, type Report } from './report.js';
import { toTable } from './table.js';

const SLUICE = 'Sluice fixed-window';

/** The figures of the page about limits, as a table. */
export function limitTable(report: Report): string {
  const uniform = tablesOf(report, 'redis').filter(({ workload }) => workload === 'uniform');
  const with64 = uniform.find(({ inFlight }) => inFlight === 64);
  const busy = find(with64, SLUICE);
  const bare = find(with64, REFERENCE);
  const alone = find(
    uniform.find(({ inFlight }) => inFlight === 1),
    SLUICE,
  );
  return toTable(
    ['what', 'figure'],
    [
      ['one process: microseconds of its CPU a check, 64 in flight', withBare(busy?.cpu, bare?.cpu)],
      ['one Redis: microseconds of its CPU a check, 64 in flight', withBare(busy?.redisCpu, bare?.redisCpu)],
      ['one Redis: checks a second that one core does at that price', busy ? whole(1e6 / busy.redisCpu) : ''],
      ...processFigures(report),
      ...identityFigures(report),
      ['the network: p50 of one check in flight on one machine, microseconds', alone ? fine(alone.p50) : ''],
      ['the network: bytes a check to Redis and back, 64 in flight', busy ? bytesOf(busy) : ''],
      ...httpFigures(report, 'Express'),
      ...httpFigures(report, 'Fastify'),
      ['memory: bytes a key in Redis', footprintOf(report, 'redis', SLUICE)],
      ['memory: bytes a key in the heap', footprintOf(report, 'heap', `${SLUICE}, store`)],
    ].filter(([, figure]) => figure !== ''),
  );
}

function processFigures(report: Report): string[][] {
  const rates = tablesOf(report, 'processes').map((table) => ({ x: table.x, row: find(table, SLUICE) }));
  const first = rates.find(({ x }) => x === 1)?.row?.rate;
  return rates
    .filter(({ x }) => x !== 1)
    .map(({ x, row }) => [`many processes: ${x} on one Redis, times one`, row && first ? times(row.rate / first) : '']);
}

/** More identities than a process caches. */
const MANY = 100_000;

function identityFigures(report: Report): string[][] {
  return tablesOf(report, 'keys')
    .filter(({ x = 0 }) => x >= MANY)
    .map((table) => {
      const row = find(table, SLUICE);
      return [
        `many identities: ${whole(table.x!)} of them, uniform, times the bare EVALSHA`,
        row ? times(row.ratio) : '',
      ];
    });
}

/** The server's CPU per request, as a multiple of the bare server's. */
function httpFigures(report: Report, framework: string): string[][] {
  return ['memory', 'Redis'].map((store) => {
    const table = tablesOf(report, 'http').find(({ title }) => title.includes(framework));
    const row = find(table, `Sluice, ${store}`);
    return [`HTTP: CPU of ${framework} with Sluice, ${store}, times the bare server`, row ? times(row.cpuRatio) : ''];
  });
}

function find(table: Table | undefined, name: string): Row | undefined {
  return table?.rows.find((row) => row.contestant === name && counts(row));
}

function footprintOf({ footprints }: Report, where: 'redis' | 'heap', name: string): string {
  const found = footprints.find((each) => each.where === where && each.contestant === name);
  return found ? whole(found.bytes) : '';
}

function bytesOf({ bytesIn, bytesOut }: Row): string {
  return `${whole(bytesIn)} and ${whole(bytesOut)}`;
}

/** A cost, and that of the bare EVALSHA. */
function withBare(own: number | undefined, bare: number | undefined): string {
  if (own === undefined || bare === undefined) return '';
  return `${fine(own)} (bare EVALSHA: ${fine(bare)})`;
}
