import { showTime } from '@sluice/metrics/operations';
import { countOf, countText, shareText } from '../../terminal/figures.js';
import type { Terminal } from '../../terminal/terminal.js';
import { goodputOf, PRIORITIES, type PhaseReport, type ShedReport } from './shed-report.js';

export const SHED_COLUMNS = [...PRIORITIES, 'of the capacity', 'refused', 'level'] as const;

/** Prints a simulation of a shedder for people. */
export function printShed(report: ShedReport, terminal: Terminal): void {
  terminal.print(shedLead(report));
  terminal.print('');
  terminal.printTable(
    [{ title: 'served within 1s' }, ...SHED_COLUMNS.map((title) => ({ title, align: 'right' as const }))],
    shedRows(report),
  );
  if (report.calmAfter === undefined) return;
  terminal.print('');
  terminal.print(`calm ${showTime(Math.round(report.calmAfter))} after the overload`);
}

export function shedLead({ requests, clients, duration, capacity, load, seed }: ShedReport): string {
  const rate = `${countText(capacity)} a second can be served`;
  return `${countOf(requests, 'request')} of ${countOf(clients, 'client')} in ${showTime(duration)}, ${rate}: ${load}, seed ${seed}`;
}

/** The phases, with a shedder and without. */
export function shedRows({ phases, without, capacity }: ShedReport): readonly (readonly string[])[] {
  const rowOf = (each: PhaseReport, remark: string) => [
    `${each.times} times${remark}`,
    ...PRIORITIES.map((priority) =>
      each.came[priority] === 0 ? '–' : shareText(each.served[priority] / each.came[priority]),
    ),
    shareText(goodputOf(each, capacity)),
    countText(PRIORITIES.reduce((sum, priority) => sum + each.refused[priority], 0)),
    countText(each.level),
  ];
  return [
    ...phases.map((each) => rowOf(each, '')),
    ...without.map((each) => [...rowOf(each, ', no shedder').slice(0, -2), '', '']),
  ];
}
