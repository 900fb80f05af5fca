import { label, rounded, tag } from './svg.js';
import { legend, picture, shortCount, WIDTH } from './time-chart.js';

export interface Histogram {
  readonly title: string;
  readonly caption: string;
  /** Of the horizontal axis. */
  readonly unit: string;
  /** How many have which value of at least 1, ascending, and how many of them are of the part that is drawn in front. */
  readonly counts: readonly (readonly [value: number, count: number, part: number])[];
  /** What the part is, and what the others are. */
  readonly names: readonly [part: string, others: string];
  /** What of the part lies above is drawn in another colour. */
  readonly limit?: number | undefined;
}

const LEFT = 56;
const RIGHT = WIDTH - 12;
const TOP = 48;
const HEIGHT = 170;
const BUCKETS = 44;
/** Up to so many values each has its bar. */
const MAX_LINEAR = 44;

/** How many clients have which value. Both axes are logarithmic where values differ by orders of magnitude. */
export function histogram({ title, caption, unit, counts, names, limit }: Histogram): string {
  const most = Math.max(counts.at(-1)?.[0] ?? 1, limit ?? 1);
  const edges = edgesUpTo(most, limit);
  const isLinear = most <= MAX_LINEAR;
  const place = isLinear ? (value: number) => value : Math.log;
  const [from, to] = [place(edges[0]!), place(edges.at(-1)!)];
  const x = (value: number) => LEFT + ((RIGHT - LEFT) * (place(value) - from)) / (to - from);
  const [bars, parts] = [barsOf(counts, edges, 1), barsOf(counts, edges, 2)];
  const tallest = Math.max(1, ...bars);
  const powers = Array.from({ length: Math.floor(Math.log10(tallest)) + 1 }, (_, power) => 10 ** power);
  const top = Math.log10(1 + tallest) * 1.06;
  const y = (count: number) => TOP + HEIGHT * (1 - Math.log10(1 + count) / top);
  const bottom = TOP + HEIGHT;
  const outline = (heights: readonly number[], isDrawn: (index: number) => boolean) =>
    heights
      .map((height, index) => {
        if (height === 0 || !isDrawn(index)) return '';
        const [left, right] = [rounded(x(edges[index]!)), rounded(x(edges[index + 1]!))];
        const gap = right - left > 4 ? 1 : 0;
        return `M${left} ${bottom}V${rounded(y(height))}H${rounded(right - gap)}V${bottom}Z`;
      })
      .join('');
  const isOver = (index: number) => limit !== undefined && edges[index]! > limit;
  const hasOthers = bars.some((height, index) => height > parts[index]!);
  const across = [0, ...powers].map((count) => `M${LEFT} ${rounded(y(count))}H${RIGHT}`).join('');
  const ticks = ticksUpTo(most, isLinear);
  return picture(title, bottom + 40, [
    label(LEFT, 16, caption, { class: 'strong' }),
    tag('path', { class: 'grid', d: across }),
    ...[0, ...powers].map((count) => label(LEFT - 8, y(count) + 4, shortCount(count), { 'text-anchor': 'end' })),
    tag('path', { class: 'area-offered', d: outline(bars, () => true) }),
    tag('path', { class: 'area-admitted', d: outline(parts, (index) => !isOver(index)) }),
    tag('path', { class: 'area-denied', d: outline(parts, isOver) }),
    legend(
      [
        { name: names[0], style: 'area-admitted' },
        ...(limit === undefined ? [] : [{ name: `${names[0]} above the limit`, style: 'area-denied' as const }]),
        ...(hasOthers ? [{ name: names[1], style: 'area-offered' as const }] : []),
      ],
      16,
    ),
    ...ticks.map((tick) =>
      label(isLinear ? (x(tick) + x(tick + 1)) / 2 : x(tick), bottom + 17, shortCount(tick), {
        'text-anchor': tick === 1 && !isLinear ? 'start' : 'middle',
      }),
    ),
    label(RIGHT, bottom + 34, unit, { 'text-anchor': 'end' }),
    ...(limit === undefined ? [] : limitLine(x(limit + 1), limit)),
  ]);
}

function limitLine(x: number, limit: number): string[] {
  const isLeft = x > WIDTH / 2;
  return [
    tag('path', { class: 'level', d: `M${rounded(x)} ${TOP - 14}V${TOP + HEIGHT}` }),
    label(x + (isLeft ? -6 : 6), TOP - 6, `limit ${shortCount(limit)}`, {
      class: 'level-text',
      'text-anchor': isLeft ? 'end' : 'start',
    }),
  ];
}

/** Where the bars begin, and the end of the last one. The limit is the end of one. */
function edgesUpTo(most: number, limit: number | undefined): readonly number[] {
  const end = most + 1;
  const edges = new Set<number>();
  if (most <= MAX_LINEAR) for (let edge = 1; edge <= end; edge += 1) edges.add(edge);
  else for (let step = 0; step <= BUCKETS; step += 1) edges.add(Math.round(end ** (step / BUCKETS)));
  if (limit !== undefined && limit < end) edges.add(limit + 1);
  return [...edges].toSorted((one, other) => one - other);
}

/** @param what 1 for all, 2 for the part */
function barsOf(counts: Histogram['counts'], edges: readonly number[], what: 1 | 2): number[] {
  const bars = edges.slice(1).map(() => 0);
  let bar = 0;
  for (const each of counts) {
    while (bar < bars.length - 1 && each[0] >= edges[bar + 1]!) bar += 1;
    bars[bar]! += each[what];
  }
  return bars;
}

function ticksUpTo(most: number, isLinear: boolean): readonly number[] {
  if (!isLinear) {
    const all = Array.from({ length: 8 }, (_, power) => [1, 2, 5].map((factor) => factor * 10 ** power)).flat();
    return all.filter((tick) => tick <= most);
  }
  const step = most <= 15 ? 1 : 5;
  return Array.from({ length: most }, (_, index) => index + 1).filter((tick) => tick % step === 0);
}
