import { grid, page, scrolling, section } from '../../charts/page.js';
import { sinceLabel, timeTicks } from '../../charts/scale.js';
import { escapeText, tag } from '../../charts/svg.js';
import { timeChart } from '../../charts/time-chart.js';
import { countText, windowText } from '../../terminal/figures.js';
import { WORKER_COLUMNS, workerRows, workersLead } from './print-workers.js';
import type { WorkersReport } from './workers-report.js';

/** The picture and the figures as a page. */
export function workersPage(report: WorkersReport): string {
  const { withoutLine } = report;
  return page('Simulation of workers that share one key', [
    tag('h1', {}, 'How workers of one key come back'),
    tag('p', { class: 'soft' }, escapeText(workersLead(report))),
    section('Over time', '', scrolling('Over time', workersChart(report))),
    section(
      'By way',
      withoutLine === undefined ? '' : `Without a line: ${withoutLine}`,
      grid(['they come back', ...WORKER_COLUMNS], workerRows(report)),
    ),
  ]);
}

/** Requests over time, a panel for each way to come back. */
export function workersChart({ ways, width, bins }: WorkersReport): string {
  return timeChart({
    title: 'Requests over time, for each way to come back',
    bins,
    panels: ways.map(({ name, timeline, requests }) => ({
      caption: `${name}: ${countText(requests)} requests, in ${windowText(width)}`,
      height: 50,
      series: [{ name: 'requests', style: 'area-offered' as const, values: timeline }],
    })),
    from: 0,
    to: bins * width,
    ticks: timeTicks(0, bins * width),
    tickLabel: sinceLabel,
  });
}
