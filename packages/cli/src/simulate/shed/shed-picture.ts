import { figures, grid, page, scrolling, section } from '../../charts/page.js';
import { sinceLabel, timeTicks } from '../../charts/scale.js';
import { escapeText, tag } from '../../charts/svg.js';
import { timeChart } from '../../charts/time-chart.js';
import { countText, shareText, windowText } from '../../terminal/figures.js';
import { showTime } from '@sluice/metrics/operations';
import { SHED_COLUMNS, shedLead, shedRows } from './print-shed.js';
import { PRIORITIES, type ShedReport } from './shed-report.js';

/** The picture and the figures as a page. */
export function shedPage(report: ShedReport): string {
  const { phases, calmAfter } = report;
  const criticals = (kind: 'came' | 'served') => phases.reduce((sum, each) => sum + each[kind].critical, 0);
  const refused = phases.reduce((sum, each) => sum + each.refused.normal + each.refused.sheddable, 0);
  return page('Simulation of a shedder', [
    tag('h1', {}, 'What a shedder does'),
    tag('p', { class: 'soft' }, escapeText(shedLead(report))),
    figures([
      { name: 'Critical requests served', value: shareText(criticals('served') / Math.max(1, criticals('came'))) },
      { name: 'Refused', value: countText(refused), remark: 'normal and sheddable requests' },
      ...(calmAfter === undefined ? [] : [{ name: 'Calm after', value: showTime(Math.round(calmAfter)) }]),
    ]),
    section('Over time', '', scrolling('Over time', shedChart(report))),
    section(
      'By load',
      'The part of the requests that was served within a second.',
      grid(['load', ...SHED_COLUMNS], shedRows(report)),
    ),
  ]);
}

/** Requests of each priority, and the level. */
export function shedChart({ timeline, levels, width, duration }: ShedReport): string {
  const bins = levels.length;
  return timeChart({
    title:
      'Requests over time by priority: those that came, were served within a second, and were refused; and the level',
    bins,
    panels: [
      ...PRIORITIES.map((priority) => ({
        caption: `${priority} requests in ${windowText(width)}`,
        height: 80,
        series: [
          { name: 'all', style: 'area-offered' as const, values: timeline[priority].came },
          { name: 'served', style: 'area-admitted' as const, values: timeline[priority].served },
          { name: 'refused', style: 'line-denied' as const, values: timeline[priority].refused },
        ],
      })),
      {
        caption: 'level of the shedder',
        height: 80,
        series: [{ name: 'level', style: 'line-current', values: levels }],
        level: { value: 100, text: 'all sheddable requests are refused' },
      },
    ],
    from: 0,
    to: bins * width,
    ticks: timeTicks(0, Math.max(duration, width)),
    tickLabel: sinceLabel,
  });
}
