import { showTime } from '@sluice/metrics/operations';
import { figures, grid, page, scrolling, section } from '../../charts/page.js';
import { sinceLabel, timeTicks } from '../../charts/scale.js';
import { escapeText, tag } from '../../charts/svg.js';
import { timeChart } from '../../charts/time-chart.js';
import { countOf } from '../../terminal/figures.js';
import type { FairReport } from './fair-report.js';
import { fairLead, indexText, TENANT_COLUMNS, tenantRows } from './print-fair.js';

/** The picture and the figures as a page. */
export function fairPage(report: FairReport): string {
  const { fair, byArrival } = report;
  return page('Simulation of fair shares', [
    tag('h1', {}, 'What fair shares do'),
    tag('p', { class: 'soft' }, escapeText(fairLead(report))),
    figures([
      { name: "Jain's index", value: indexText(fair.index), remark: `${indexText(byArrival.index)} by arrival` },
      ...fair.tenants.flatMap(({ name, pause, longestWait }, place) =>
        pause === 0
          ? []
          : [
              {
                name: `Longest wait of ${name}`,
                value: showTime(Math.round(longestWait)),
                remark: `${showTime(Math.round(byArrival.tenants[place]!.longestWait))} by arrival`,
              },
            ],
      ),
    ]),
    section('Over time', '', scrolling('Over time', fairChart(report))),
    section('Tenants', '', grid(['tenant', ...TENANT_COLUMNS], tenantRows(report))),
  ]);
}

/** Units in flight, a panel for each tenant. */
export function fairChart({ fair, byArrival, width, duration, limit }: FairReport): string {
  const bins = fair.tenants[0]!.inFlight.length;
  return timeChart({
    title: 'Units in flight over time by tenant, with fair shares and by arrival',
    bins,
    panels: fair.tenants.map(({ name, requests, inFlight }, place) => ({
      caption: `${name}, ${countOf(requests, 'request')} at a time: in flight, of ${limit}`,
      height: 70,
      series: [
        { name: 'fair', style: 'area-admitted' as const, values: inFlight },
        { name: 'by arrival', style: 'line-current' as const, values: byArrival.tenants[place]!.inFlight },
      ],
    })),
    from: 0,
    to: bins * width,
    ticks: timeTicks(0, Math.max(duration, width)),
    tickLabel: sinceLabel,
  });
}
