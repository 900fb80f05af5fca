import { pictureAlone } from '../charts/picture-alone.js';
import { label, rounded, tag } from '../charts/svg.js';
import { legend, picture, shortCount, WIDTH, type SeriesStyle } from '../charts/time-chart.js';
import { usage } from '../failure/failure.js';
import { perWindowText } from '../terminal/figures.js';
import type { CurveReport } from './advice-report.js';
import type { KindCounts } from './curve.js';
import type { Kind } from './kinds/kind.js';
import type { Report } from './report.js';

/** The lines of the picture. Monitors and search engines are programs, too. */
const LINES: readonly { readonly name: string; readonly style: SeriesStyle; readonly kinds: readonly Kind[] }[] = [
  { name: 'people', style: 'line-admitted', kinds: ['person'] },
  { name: 'programs', style: 'line-current', kinds: ['program', 'monitor', 'search engine'] },
  { name: 'scanners', style: 'line-denied', kinds: ['scanner'] },
];
const LEFT = 56;
const RIGHT = WIDTH - 12;
const TOP = 48;
const HEIGHT = 190;
const BOTTOM = TOP + HEIGHT;
const LEVELS = [0, 0.25, 0.5, 0.75, 1];

/** Which part of people, programs and scanners limits deny, from low to high ones. @param limit that is proposed or tried */
export function curveChart({ points, of, window }: CurveReport, limit: number | undefined): string {
  const [from, to] = [points[0]!.limit, points.at(-1)!.limit].map(Math.log) as [number, number];
  const x = (value: number) => LEFT + ((RIGHT - LEFT) * (Math.log(value) - from)) / Math.max(1e-9, to - from);
  const y = (share: number) => TOP + HEIGHT * (1 - share);
  const lines = LINES.filter(({ kinds }) => countOf(of, kinds) > 0);
  const across = LEVELS.map((level) => `M${LEFT} ${rounded(y(level))}H${RIGHT}`).join('');
  const path = (kinds: readonly Kind[]) =>
    points
      .map((point, index) => {
        const share = countOf(point.denied, kinds) / countOf(of, kinds);
        return `${index === 0 ? 'M' : 'L'}${rounded(x(point.limit))} ${rounded(y(share))}`;
      })
      .join('');
  return picture(`Whom limits ${perWindowText(window)} deny`, BOTTOM + 40, [
    label(LEFT, 16, 'clients denied', { class: 'strong' }),
    tag('path', { class: 'grid', d: across }),
    ...LEVELS.map((level) => label(LEFT - 8, y(level) + 4, `${level * 100} %`, { 'text-anchor': 'end' })),
    ...lines.map(({ style, kinds }) => tag('path', { class: style, d: path(kinds) })),
    legend(lines, 16),
    ...ticksOf(points).map((tick) => label(x(tick), BOTTOM + 17, shortCount(tick), { 'text-anchor': 'middle' })),
    label(RIGHT, BOTTOM + 34, `limit ${perWindowText(window)}`, { 'text-anchor': 'end' }),
    ...(limit === undefined ? [] : limitLine(x(limit), limit)),
  ]);
}

/** The picture of `--svg`: the curve of the first tier. @throws Failure without one */
export function curvePicture(report: Report): string {
  const [curve] = report.curves;
  if (curve === undefined) {
    throw usage(
      '--svg: there is no curve: pass no --limits, or --propose with a tier of a window, and a log that fills it ten times',
    );
  }
  return pictureAlone(curveChart(curve, limitOf(report, curve)));
}

/** The limit to mark: that for people. */
export function limitOf({ proposals }: Report, { tier }: CurveReport): number | undefined {
  const own = proposals.filter((proposal) => proposal.tier === tier);
  return (own.find(({ by }) => by === 'people') ?? own[0])?.limit;
}

function countOf(counts: KindCounts, kinds: readonly Kind[]): number {
  return kinds.reduce((sum, kind) => sum + (counts[kind] ?? 0), 0);
}

function ticksOf(points: CurveReport['points']): readonly number[] {
  const [from, to] = [points[0]!.limit, points.at(-1)!.limit];
  const all = Array.from({ length: 8 }, (_, power) => [1, 2, 5].map((factor) => factor * 10 ** power)).flat();
  return all.filter((tick) => tick >= from && tick <= to);
}

function limitLine(x: number, limit: number): string[] {
  const isLeft = x > WIDTH / 2;
  return [
    tag('path', { class: 'level', d: `M${rounded(x)} ${TOP - 14}V${BOTTOM}` }),
    label(x + (isLeft ? -6 : 6), TOP - 6, `limit ${shortCount(limit)}`, {
      class: 'level-text',
      'text-anchor': isLeft ? 'end' : 'start',
    }),
  ];
}
