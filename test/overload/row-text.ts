import { missesOf } from './bars.js';
import type { Entry } from './contestant.js';
import type { LoadRow } from './load-row.js';
import type { PauseRow } from './pause-row.js';
import type { Cluster } from './terms.js';

export const LOAD_HEAD = [
  'load',
  'critical, first 3 s',
  'critical, then',
  'normal',
  'sheddable',
  'all, of the capacity',
  'of what is left',
  'p99',
  'level 0 after',
  'no core',
  'missed',
] as const;

export const PAUSE_HEAD = [
  'pause',
  'load',
  'refused',
  'in tries',
  'normal or critical',
  'level',
  'level 0 after',
  'missed',
] as const;

const CLUSTER_NAMES: Readonly<Record<Cluster, string>> = { none: 'SCHED_NONE', 'round-robin': 'SCHED_RR' };

/** Names a contestant in tables. */
export function nameOf({ server, connections, transport = 'tcp', cluster, proxy }: Entry): string {
  const by = server === 'nothing' ? 'Express without a shedder' : server;
  const inside = cluster === undefined ? '' : ` in a worker (${CLUSTER_NAMES[cluster]})`;
  const behind = proxy === undefined ? '' : ` behind nginx, ${proxy}`;
  const kept = connections === 'new' ? 'a connection for each request' : 'kept connections';
  const over = transport === 'tcp' ? '' : ` over ${transport === 'tls' ? 'TLS' : 'a Unix socket'}`;
  return `${by}${inside}${behind}${over}, ${proxy === undefined ? kept : 'its clients keep theirs'}`;
}

/** A row's cells, for terminals and for pages. */
export function loadCells(row: LoadRow): readonly string[] {
  const { load, first, later, normal, sheddable, good, ofRest, p99, calmAfter, noCore } = row;
  const parts = [first, later, normal, sheddable, good, ofRest].map(percent);
  return [`${load} ×`, ...parts, `${p99} ms`, time(calmAfter), percent(noCore), missesOf(row).join(', ')];
}

export function pauseCells(row: PauseRow): readonly string[] {
  const { pause, load, tries, came, refused, refusing, level, calmAfter } = row;
  const { critical, normal, sheddable } = refused;
  const all = critical + normal + sheddable;
  return [
    `${pause / 1_000} s`,
    percent(load),
    `${all} of ${came}`,
    `${refusing} of ${tries}`,
    String(critical + normal),
    String(level),
    time(calmAfter),
    missesOf(row).join(', '),
  ];
}

export function percent(part: number): string {
  const percents = part * 100;
  return `${percents.toFixed(percents > 99 && percents < 100 ? 1 : 0)} %`;
}

function time(milliseconds: number | undefined): string {
  return milliseconds === undefined ? '–' : `${milliseconds} ms`;
}
