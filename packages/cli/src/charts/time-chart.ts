import { escapeText, label, rounded, tag } from './svg.js';
import { niceTicks } from './scale.js';

export type SeriesStyle =
  | 'area-offered'
  | 'area-admitted'
  | 'area-denied'
  | 'line-admitted'
  | 'line-current'
  | 'line-denied';

export interface Series {
  readonly name: string;
  readonly style: SeriesStyle;
  /** One for each bin. Missing ones are 0. */
  readonly values: readonly number[];
}

export interface Panel {
  readonly caption: string;
  readonly height: number;
  readonly series: readonly Series[];
  /** A line across, such as a limit. */
  readonly level?: { readonly value: number; readonly text: string } | undefined;
}

export interface TimeChart {
  readonly title: string;
  readonly bins: number;
  readonly panels: readonly Panel[];
  /** Where the bins begin and end, and the labels between. */
  readonly from: number;
  readonly to: number;
  readonly ticks: readonly number[];
  readonly tickLabel: (tick: number) => string;
  /** Of the picture, in pixels. @default 912 */
  readonly width?: number | undefined;
}

export const WIDTH = 912;
const LEFT = 56;
/** Of the picture right of the panels. */
const MARGIN = 12;
const CAPTION = 30;
const GAP = 22;
const AXIS = 26;

/** Panels above each other that share a time axis. */
export function timeChart({ title, bins, panels, from, to, ticks, tickLabel, width = WIDTH }: TimeChart): string {
  const right = width - MARGIN;
  const x = (time: number) => LEFT + ((right - LEFT) * (time - from)) / Math.max(1, to - from);
  const parts: string[] = [];
  let top = 0;
  for (const panel of panels) {
    parts.push(drawPanel(panel, { top: top + CAPTION, right, bins, ticks: ticks.map(x) }));
    top += CAPTION + panel.height + GAP;
  }
  const height = top - GAP + AXIS;
  const anchor = (at: number) => (at < LEFT + 16 ? 'start' : at > right - 24 ? 'end' : 'middle');
  // Labels at the edges stay inside the picture.
  parts.push(...ticks.map((tick) => label(x(tick), height - 6, tickLabel(tick), { 'text-anchor': anchor(x(tick)) })));
  return picture(title, height, parts, width);
}

/** An image with its title for readers that cannot see it. */
export function picture(title: string, height: number, parts: readonly string[], width = WIDTH): string {
  const attributes = { viewBox: `0 0 ${width} ${rounded(height)}`, role: 'img', 'aria-label': title };
  return tag('svg', { xmlns: 'http://www.w3.org/2000/svg', ...attributes }, ...parts);
}

/** Where a panel is, in pixels. */
interface Place {
  readonly top: number;
  readonly right: number;
  readonly bins: number;
  readonly ticks: readonly number[];
}

function drawPanel({ caption, height, series, level }: Panel, { top, right, bins, ticks }: Place): string {
  const most = Math.max(level?.value ?? 0, ...series.map(({ values }) => maximum(values)));
  const scale = niceTicks(most, height < 120 ? 2 : 4);
  const y = (value: number) => top + height * (1 - value / scale.at(-1)!);
  const x = (bin: number) => rounded(LEFT + ((right - LEFT) * bin) / bins);
  const across = scale.map((value) => `M${LEFT} ${rounded(y(value))}H${right}`).join('');
  const down = ticks.map((tick) => `M${rounded(tick)} ${top}v${height}`).join('');
  return [
    label(LEFT, top - 10, caption, { class: 'strong' }),
    legend(series, top - 10, right),
    tag('path', { class: 'grid', d: `${across}${down}` }),
    ...scale.map((value) => label(LEFT - 8, y(value) + 4, shortCount(value), { 'text-anchor': 'end' })),
    ...series.map(({ style, values }) =>
      tag('path', { class: style, d: steps(values, { x, y, bins, isArea: style.startsWith('area') }) }),
    ),
    ...(level === undefined
      ? []
      : [
          tag('path', { class: 'level', d: `M${LEFT} ${rounded(y(level.value))}H${right}` }),
          label(right - 4, levelTextAt(y(level.value), top), level.text, { class: 'level-text', 'text-anchor': 'end' }),
        ]),
  ].join('');
}

/** Above the line, or below it where the text would run into the legend. */
function levelTextAt(line: number, top: number): number {
  return line - top < 12 ? line + 14 : line - 5;
}

/** The names of the series at the right end of the caption. A single one needs none. */
export function legend(
  series: readonly Pick<Series, 'name' | 'style'>[],
  baseline: number,
  right = WIDTH - MARGIN,
): string {
  if (series.length < 2) return '';
  // One text, because only the browser knows how wide its letters are.
  const names = series.map(({ name, style }, index) => {
    const mark = tag(
      'tspan',
      { class: `mark-${style}`, dx: index === 0 ? 0 : 18 },
      style.startsWith('area') ? '■' : '━',
    );
    return `${mark} ${escapeText(name)}`;
  });
  return tag('text', { x: right, y: baseline, 'text-anchor': 'end' }, ...names);
}

interface Outline {
  readonly x: (bin: number) => number;
  readonly y: (value: number) => number;
  readonly bins: number;
  /** Closed at the base. */
  readonly isArea: boolean;
}

/** The outline of values that hold for a bin each. */
function steps(values: readonly number[], { x, y, bins, isArea }: Outline): string {
  const path: string[] = [];
  let last = Number.NaN;
  for (let bin = 0; bin < bins; bin += 1) {
    const value = values[bin] ?? 0;
    if (value === last) continue;
    path.push(
      bin === 0
        ? `M${x(0)} ${rounded(isArea ? y(0) : y(value))}V${rounded(y(value))}`
        : `H${x(bin)}V${rounded(y(value))}`,
    );
    last = value;
  }
  return `${path.join('')}H${x(bins)}${isArea ? `V${rounded(y(0))}Z` : ''}`;
}

function maximum(values: readonly number[]): number {
  let most = 0;
  for (const value of values) if (value > most) most = value;
  return most;
}

/** `1.5k`, `2M`: for axes. */
export function shortCount(value: number): string {
  if (value >= 1e6) return `${Number((value / 1e6).toPrecision(3))}M`;
  return value >= 1e4 ? `${Number((value / 1e3).toPrecision(3))}k` : String(value);
}
