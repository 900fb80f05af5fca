import type { LoadRow } from '../overload/load-row.js';
import type { PauseRow } from '../overload/pause-row.js';
import { readResults } from '../overload/results.js';
import { LOAD_HEAD, loadCells, nameOf, PAUSE_HEAD, pauseCells, percent } from '../overload/row-text.js';
import { CONNECTIONS, PRIORITIES } from '../overload/terms.js';
import { markdownTable, withTable } from './markdown-table.js';
import { page } from './pages.js';

/** `docs/benchmarks/overload.md` with the rows of the last runs. */
export function overloadPage(): string {
  const { rows, machine } = readResults();
  const loads = rows.filter((row) => row.kind === 'load');
  const ofMain = mainRows(loads);
  const tables: readonly (readonly [heading: string, table: string])[] = [
    ['## A connection for each request', loadTable(ofMain.filter(({ connections }) => connections === 'new'))],
    ['## Kept connections', loadTable(ofMain.filter(({ connections }) => connections === 'kept'))],
    ['## Behind nginx', loadTable(loads.filter(({ proxy }) => proxy !== undefined))],
    [
      '## Other versions, TLS, Unix sockets and clusters',
      loadTable(loads.filter((row) => !ofMain.includes(row) && !row.proxy)),
    ],
    ['## Pauses', pauseTable(rows.filter((row) => row.kind === 'pause'))],
  ];
  const { text } = page('docs/benchmarks/overload.md');
  const stamped = text.replace(/^The machine: .*$/m, `The machine: ${machine}.`);
  return tables.reduce((all, [heading, table]) => withTable(all, heading, table), stamped);
}

/** `docs/guide/overload.md` with what the last runs say of a shedder, of under-pressure and of nothing. */
export function overloadGuide(): string {
  const loads = mainRows(readResults().rows.filter((row) => row.kind === 'load'));
  const head = ['served within a second, of those that came', ...PRIORITIES, 'all, of the capacity'];
  const cells = [1.2, 4].flatMap((load) =>
    CONNECTIONS.flatMap((connections) =>
      (['express', 'under-pressure', 'nothing'] as const).flatMap((server) => {
        const row = loads.find(
          (each) =>
            each.run === 1 && [each.server, each.connections, each.load].join() === [server, connections, load].join(),
        );
        if (row === undefined) return [];
        const by = { express: 'Sluice', 'under-pressure': '@fastify/under-pressure', nothing: 'nothing' }[server];
        const parts = [row.critical, row.normal, row.sheddable, row.good].map(percent);
        return [[`${load} times, ${connections} connections: ${by}`, ...parts]];
      }),
    ),
  );
  return withTable(page('docs/guide/overload.md').text, '## What it is worth', markdownTable(head, cells));
}

/** Rows over TCP to a process on its own, with the version of Node that most of them have. */
function mainRows(loads: readonly LoadRow[]): readonly LoadRow[] {
  const direct = loads.filter(isDirect);
  const countOf = (version: string) => direct.filter((row) => row.version === version).length;
  const [main] = [...new Set(direct.map(({ version }) => version))].toSorted(
    (one, other) => countOf(other) - countOf(one),
  );
  return direct.filter(({ version }) => version === main);
}

/** Over TCP to a process on its own. */
function isDirect({ cluster, proxy, transport = 'tcp' }: LoadRow): boolean {
  return cluster === undefined && proxy === undefined && transport === 'tcp';
}

function loadTable(rows: readonly LoadRow[]): string {
  return markdownTable(
    ['server', ...LOAD_HEAD],
    rows.map((row) => [`${nameOf(row)}, ${row.version}`, ...loadCells(row)]),
  );
}

function pauseTable(rows: readonly PauseRow[]): string {
  return markdownTable(
    ['server', ...PAUSE_HEAD],
    rows.map((row) => [nameOf(row), ...pauseCells(row)]),
  );
}
