import { histogram } from '../charts/histogram.js';
import { figures, grid, page, scrolling, section, type Figure } from '../charts/page.js';
import { timeLabel, timeTicks } from '../charts/scale.js';
import { escapeText, tag } from '../charts/svg.js';
import { timeChart, type Panel } from '../charts/time-chart.js';
import { countOf, countText, perWindowText, shareText, windowText } from '../terminal/figures.js';
import { isMade } from './advice-text.js';
import { headText } from './head.js';
import { advicePart, trafficSection } from './html-advice.js';
import type { ClientReport } from './client-report.js';
import { limitsOf } from './notes.js';
import type { BusiestReport, Report, TierReport } from './report.js';

/** The report as a page. */
export function htmlReport(report: Report): string {
  const { candidate, current } = report;
  const names = candidate.tiers.map(({ name }) => name).join(', ');
  const against = current === undefined ? '' : `, compared with ${current.tiers.map(({ name }) => name).join(', ')}`;
  const isTried = candidate.tiers.length > 0;
  return page(`Replay of ${names || 'a log'}`, [
    tag('h1', {}, escapeText(isTried ? `What ${names} would deny` : 'Whose traffic this is')),
    tag('p', { class: 'soft' }, escapeText(headText(report) + against)),
    ...(isTried ? [figures(figuresOf(report))] : []),
    trafficSection(report),
    ...advicePart(report),
    section(
      'Demand and denied requests',
      'Each panel has its own scale.',
      scrolling('Requests over time', demandChart(report)),
    ),
    ...report.busiest.map(busiestSection),
    ...(isTried ? [section('Tiers', 'A request is denied if one tier denies it.', tierTable(report))] : []),
    ...(report.top.length === 0 ? [] : [clientsSection(report, report.top, 'Most denied clients')]),
    ...(report.people.length === 0 ? [] : [clientsSection(report, report.people, 'People that are denied')]),
    section(
      'What this report cannot know',
      '',
      tag('ul', {}, ...limitsOf(report).map((note) => tag('li', {}, escapeText(note)))),
    ),
  ]);
}

function figuresOf(report: Report): readonly Figure[] {
  const { candidate, current, requests, wholeSeconds, proposals } = report;
  const share = (count: number) => shareText(count / requests);
  const before = current === undefined ? countOf(candidate.denied, 'request') : `now ${share(current.denied)}`;
  const spread = wholeSeconds ? `; ${share(candidate.spreadDenied!)} with each second spread` : '';
  return [
    { name: 'Denied', value: share(candidate.denied), remark: before + spread },
    {
      name: 'Clients denied',
      value: countText(candidate.identities),
      remark: `of ${countText(report.clients)}${current === undefined ? '' : `; now ${countText(current.identities)}`}`,
    },
    {
      name: 'People',
      value: countText(report.newlyDeniedPeople),
      remark: `of ${countText(report.newlyDenied)} newly denied`,
    },
    ...proposals.filter(isMade).map(({ window, by, limit, denied, of }) => ({
      name: `Proposed ${perWindowText(window)}`,
      value: countText(limit),
      remark: `denies ${countText(denied)} of ${countText(of)} ${by}`,
    })),
  ];
}

function demandChart({ timeline, candidate, current, to }: Report): string {
  const { start, width, demand, denied, deniedNow } = timeline;
  const bins = Math.max(1, demand.length);
  const end = start + bins * width;
  const ticks = timeTicks(start, Math.min(end, to + width));
  const deniedPanel: Panel = {
    caption: `denied in ${windowText(width)}`,
    height: 110,
    series: [
      { name: 'denied', style: 'area-denied', values: denied },
      ...(current === undefined
        ? []
        : [{ name: 'by the current limits', style: 'line-current' as const, values: deniedNow }]),
    ],
  };
  const tierPanel = ({ name, shadow }: TierReport, place: number): Panel => ({
    caption: `denied by ${name}${shadow ? ' (shadow)' : ''}`,
    height: 80,
    series: [{ name, style: 'area-denied', values: timeline.tiers[place]! }],
  });
  return timeChart({
    title: 'Requests and denied requests over time',
    bins,
    panels: [
      {
        caption: `requests in ${windowText(width)}`,
        height: 150,
        series: [
          { name: 'all', style: 'area-offered', values: demand },
          { name: 'denied', style: 'area-denied', values: denied },
        ],
      },
      deniedPanel,
      ...(candidate.tiers.length === 1 ? [] : candidate.tiers.map(tierPanel)),
    ],
    from: start,
    to: end,
    ticks,
    tickLabel: (tick) => timeLabel(tick, ticks),
  });
}

function busiestSection({ tier, window, limit, p50, p99, p999, most, histogram: counts }: BusiestReport): string {
  const length = windowText(window);
  const lead = `Half of the clients stay at ${countText(p50)} or below in their busiest ${length}, 99 % at ${countText(p99)}, 99.9 % at ${countText(p999)}; the busiest one asks for ${countText(most)}.`;
  const chart = histogram({
    title: `How busy clients are in ${length}`,
    caption: 'clients',
    unit: `units in a client's busiest ${length}`,
    names: ['people', 'other clients'],
    // A client whose requests cost nothing is in no window.
    counts: counts.filter(([units]) => units > 0),
    limit,
  });
  return section(`Busiest ${length} of each client (${tier})`, lead, scrolling(`Busiest ${length}`, chart));
}

function tierTable({ candidate, current, requests }: Report): string {
  const share = (count: number) => shareText(count / requests);
  const rows = [
    ...(current?.tiers.map((tier) => ({ ...tier, whose: 'current' })) ?? []),
    ...candidate.tiers.map((tier) => ({ ...tier, whose: 'candidate' })),
  ];
  return grid(
    ['tier', 'limits', 'limit', 'window', 'denied', 'share'],
    rows.map(({ name, whose, limit, window, denied, shadow }) => [
      shadow ? `${name} (shadow)` : name,
      whose,
      limit === undefined ? 'by request' : countText(limit),
      windowText(window),
      countText(denied),
      share(denied),
    ]),
  );
}

function clientsSection({ current, busiest }: Report, clients: readonly ClientReport[], title: string): string {
  const length = windowText(busiest[0]!.window);
  const titles = ['client', 'requests', 'denied', ...(current ? ['denied now'] : []), `busiest ${length}`, 'kind'];
  const rows = clients.map(({ client, requests, denied, deniedNow, busiest: most, kind, evidence }) => [
    client,
    countText(requests),
    countText(denied),
    ...(current ? [countText(deniedNow)] : []),
    countText(most),
    `${kind}: ${evidence}`,
  ]);
  return section(title, 'The kind of a client is told by all of its requests, and by no limit.', grid(titles, rows));
}
