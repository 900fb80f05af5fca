import { showTime } from '@sluice/metrics/operations';
import { countOf, countText, shareText } from '../../terminal/figures.js';
import type { Terminal } from '../../terminal/terminal.js';
import type { WorkersReport } from './workers-report.js';

export const WORKER_COLUMNS = [
  'requests',
  'all served in',
  'served within 2 retries',
  'denials of the worst',
  "Jain's index",
  'most in a second',
];

/** Prints a simulation of workers for people. */
export function printWorkers(report: WorkersReport, terminal: Terminal): void {
  terminal.print(workersLead(report));
  terminal.print('');
  terminal.printTable(
    [{ title: 'they come back' }, ...WORKER_COLUMNS.map((title) => ({ title, align: 'right' as const }))],
    workerRows(report),
  );
  if (report.withoutLine !== undefined) {
    terminal.print('');
    terminal.print(`Without a line: ${report.withoutLine}`);
  }
}

export function workersLead({ workers, tier, load, seed }: WorkersReport): string {
  return `${countOf(workers, 'worker')} that share one key of ${tier} come at once, and come back until all are served: ${load}, seed ${seed}`;
}

export function workerRows({ ways, workers }: WorkersReport): readonly (readonly string[])[] {
  return ways.map((way) => [
    way.name,
    countText(way.requests),
    way.took === undefined ? `${countText(workers - way.served)} not served` : showTime(Math.round(way.took)),
    shareText(way.soon),
    countText(way.worstDenials),
    way.index.toFixed(2),
    countText(way.peak),
  ]);
}
