import { figures, grid, page, scrolling, section } from '../charts/page.js';
import { sinceLabel, timeTicks } from '../charts/scale.js';
import { escapeText, tag } from '../charts/svg.js';
import { timeChart, type Panel } from '../charts/time-chart.js';
import { countOf, countText, shareText, windowText } from '../terminal/figures.js';
import { showTime } from '@sluice/metrics/operations';
import type { LimitsReport, SimulationReport } from './simulation-report.js';

/** The picture and the figures as a page. */
export function simulationPage(report: SimulationReport): string {
  const { limits, against, requests, clients, duration, load, seed } = report;
  const names = namesOf(limits);
  const both = [['limits', limits] as const, ...(against === undefined ? [] : [['against', against] as const])];
  const rows = both.flatMap(([name, { tiers }]) =>
    tiers.map((tier) => [
      against === undefined ? tier.name : `${name}: ${tier.name}`,
      tier.limit === undefined ? 'by request' : countText(tier.limit),
      windowText(tier.window),
      countText(tier.denied),
      countText(tier.worstWindow),
      tier.paced === undefined ? '–' : shareText(tier.paced),
    ]),
  );
  const lead = `${countOf(requests, 'request')} of ${countOf(clients, 'client')} in ${showTime(duration)}: ${load}, seed ${seed}`;
  return page(`Simulation of ${names}`, [
    tag('h1', {}, escapeText(`What ${names} does`)),
    tag('p', { class: 'soft' }, escapeText(lead)),
    figures(
      both.flatMap(([name, each]) => {
        const whose = against === undefined ? '' : `, ${name}`;
        return [
          {
            name: `Denied${whose}`,
            value: shareText(each.denied / requests),
            remark: `${countText(each.denied)} requests`,
          },
          {
            name: `Most in ${windowText(each.tiers[0]!.window)}${whose}`,
            value: countText(each.tiers[0]!.worstWindow),
            remark: 'of one client, in any window',
          },
        ];
      }),
    ),
    section('Over time', '', scrolling('Over time', simulationChart(report))),
    section(
      'Tiers',
      'The last column is the share that a client gets that sends one request at the pace of the limit.',
      grid(['tier', 'limit', 'window', 'denied', 'most in a window', 'at the pace'], rows),
    ),
  ]);
}

/** The picture for a page, which has the style of charts. @param pixels of its width @default 912 */
export function simulationChart(report: SimulationReport, pixels?: number): string {
  const { limits, against, offered, width, duration, clients } = report;
  const window = windowText(limits.tiers[0]!.window);
  const panels: Panel[] = [
    {
      caption: `requests in ${windowText(width)}`,
      height: 140,
      series: [
        { name: 'all', style: 'area-offered', values: offered },
        { name: 'admitted', style: 'area-admitted', values: limits.timeline },
        ...(against === undefined
          ? []
          : [{ name: 'admitted against', style: 'line-current' as const, values: against.timeline }]),
      ],
    },
    {
      caption: `admitted in the last ${window}${clients === 1 ? '' : ', all clients together'}`,
      height: 120,
      series: [
        { name: 'limits', style: 'line-admitted', values: limits.inWindow },
        ...(against === undefined
          ? []
          : [{ name: 'against', style: 'line-current' as const, values: against.inWindow }]),
      ],
      level: levelOf(limits, clients),
    },
  ];
  return timeChart({
    title: `${namesOf(limits)}: requests over time, and those that are admitted`,
    bins: offered.length,
    panels,
    from: 0,
    to: offered.length * width,
    ticks: timeTicks(0, Math.max(duration, width), pixels === undefined ? 8 : Math.floor(pixels / 80)),
    tickLabel: sinceLabel,
    width: pixels,
  });
}

/** The limit of one client is no line among those of many. */
function levelOf({ tiers }: LimitsReport, clients: number): Panel['level'] {
  const { limit } = tiers[0]!;
  return clients > 1 || limit === undefined ? undefined : { value: limit, text: `limit ${countText(limit)}` };
}

function namesOf({ tiers }: LimitsReport): string {
  return tiers.map(({ name }) => name).join(', ');
}
