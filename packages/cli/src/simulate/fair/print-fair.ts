import { showTime } from '@sluice/metrics/operations';
import { countText, shareText } from '../../terminal/figures.js';
import type { Terminal } from '../../terminal/terminal.js';
import type { FairReport, SharesReport } from './fair-report.js';

export const TENANT_COLUMNS = ['ran', 'denied', 'longest wait', 'ran by arrival', 'longest wait by arrival'];

/** Prints a simulation of fair shares for people. */
export function printFair(report: FairReport, terminal: Terminal): void {
  const right = (title: string) => ({ title, align: 'right' as const });
  const wholeOf = (name: string, { index, idle }: SharesReport) => [name, indexText(index), shareText(idle)];
  terminal.print(fairLead(report));
  terminal.print('');
  terminal.printTable(
    [{ title: '' }, ...["Jain's index", 'idle'].map(right)],
    [wholeOf('fair', report.fair), wholeOf('by arrival', report.byArrival)],
  );
  terminal.print('');
  terminal.printTable([{ title: 'tenant' }, ...TENANT_COLUMNS.map(right)], tenantRows(report));
}

/** All that was written, and nothing else: it is what has run. */
export function fairLead({ limit, work, tier, duration, load, seed }: FairReport): string {
  const options = Object.entries(tier).map(([name, value]) => `, ${name} ${value}`);
  const limits = `${countText(limit)} may run${options.join('')}, each for ${showTime(work)}`;
  return `${limits}, in ${showTime(duration)}: ${load}, seed ${seed}`;
}

/** Of tenants without a pause. */
export function indexText(index: number | undefined): string {
  return index === undefined ? '–' : index.toFixed(3);
}

export function tenantRows({ fair, byArrival }: FairReport): readonly (readonly string[])[] {
  return fair.tenants.map(({ name, ran, denied, longestWait }, place) => {
    const other = byArrival.tenants[place]!;
    return [
      name,
      countText(ran),
      countText(denied),
      showTime(Math.round(longestWait)),
      countText(other.ran),
      showTime(Math.round(other.longestWait)),
    ];
  });
}
