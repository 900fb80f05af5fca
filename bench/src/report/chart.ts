const WIDTH = 760;
const LEFT = 380;
const RIGHT = 700;
const BAR = 22;

// A card of its own is legible on any page; where the reader prefers dark, it is dark.
const STYLE = `
text{font:12px system-ui,sans-serif;fill:#57606a;stroke:#fff;stroke-width:3px;paint-order:stroke}
.title{font-weight:600;fill:#1f2328}
.card{fill:#fff;stroke:#d0d7de}
.grid{stroke:#d0d7de;fill:none}
.limit{fill:#afb8c1}
.peer{fill:#8250df}
.sluice{fill:#0969da}
.line-0{stroke:#0969da}
.line-1{stroke:#8250df}
.line-2{stroke:#1a7f37}
.line-3{stroke:#cf222e}
.line-4{stroke:#9a6700}
.line{fill:none;stroke-width:2}
.edge{stroke:#cf222e;stroke-dasharray:6 4}
@media(prefers-color-scheme:dark){
text{fill:#9198a1;stroke:#0d1117}
.title{fill:#f0f6fc}
.card{fill:#0d1117;stroke:#3d444d}
.grid{stroke:#3d444d}
.limit{fill:#656c76}
.peer{fill:#ab7df8}
.sluice{fill:#4493f8}
.line-0{stroke:#4493f8}
.line-1{stroke:#ab7df8}
.line-2{stroke:#3fb950}
.line-3{stroke:#f85149}
.line-4{stroke:#d29922}
}`;

export interface ChartBar {
  readonly label: string;
  readonly kind: 'limit' | 'peer' | 'sluice';
  readonly value: number;
}

/** Bars from the shortest to the longest, with a line where they are 1. */
export function barChart(title: string, bars: readonly ChartBar[]): string {
  const sorted = bars.toSorted((one, other) => one.value - other.value);
  const top = Math.max(1, ...sorted.map(({ value }) => value));
  const x = (value: number) => round(LEFT + ((RIGHT - LEFT) * value) / top);
  const height = 56 + sorted.length * BAR;
  const rows = sorted.flatMap(({ label, kind, value }, index) => {
    const y = 40 + index * BAR;
    return [
      text(LEFT - 8, y + 13, label, { anchor: 'end', name: kind === 'sluice' ? 'title' : undefined }),
      `<rect class="${kind}" x="${LEFT}" y="${y}" width="${round(x(value) - LEFT)}" height="${BAR - 6}"/>`,
      text(x(value) + 6, y + 13, value.toFixed(2)),
    ];
  });
  const edge = `<path class="edge" d="M${x(1)} 36V${height - 16}"/>`;
  // A figure that lies on the edge stays legible.
  return svg(height, [text(16, 22, title, { name: 'title' }), edge, ...rows]);
}

export interface Series {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

export interface LineChart {
  readonly title: string;
  /** The title of the horizontal axis. */
  readonly across: string;
  readonly series: readonly Series[];
  /** Whether each line of the grid is so many times the one below. @default false, which begins at 0 */
  readonly logarithmic?: boolean;
}

/** Lines over an axis on which each step is so many times as far. */
export function lineChart({ title, across, series, logarithmic = false }: LineChart): string {
  const points = series.flatMap((each) => each.points);
  const xs = [...new Set(points.map(([x]) => x))].toSorted((one, other) => one - other);
  const ys = points.map(([, y]) => y);
  const grid = logarithmic ? powers(ys) : steps(Math.max(...ys));
  const height = (value: number) => (logarithmic ? Math.log(value / grid[0]!) : value);
  const [left, right, high, low] = [70, 720, 44, 284];
  const span = Math.log(xs.at(-1)! / xs[0]!) || 1;
  const x = (value: number) => round(left + ((right - left) * Math.log(value / xs[0]!)) / span);
  const y = (value: number) => round(low - ((low - high) * height(value)) / height(grid.at(-1)!));
  const parts = [
    text(16, 22, title, { name: 'title' }),
    `<path class="grid" d="${grid.map((value) => `M${left} ${y(value)}H${right}`).join('')}"/>`,
    ...grid.map((value) => text(left - 8, y(value) + 4, short(value), { anchor: 'end' })),
    ...xs.map((value) => text(x(value), low + 18, short(value), { anchor: 'middle' })),
    text(right, low + 36, across, { anchor: 'end' }),
    ...series.flatMap(({ name, points: of }, index) => [
      `<path class="line line-${index % 5}" d="${of.map(([px, py], at) => `${at === 0 ? 'M' : 'L'}${x(px)} ${y(py)}`).join('')}"/>`,
      ...of.map(([px, py]) => `<circle class="line line-${index % 5}" cx="${x(px)}" cy="${y(py)}" r="2"/>`),
      `<path class="line line-${index % 5}" d="M${left} ${low + 52 + index * 18}h20"/>`,
      text(left + 28, low + 56 + index * 18, name),
    ]),
  ];
  return svg(low + 64 + series.length * 18, parts);
}

function svg(height: number, parts: readonly string[]): string {
  const card = `<rect class="card" x=".5" y=".5" width="${WIDTH - 1}" height="${height - 1}" rx="6"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">\n<style>${STYLE}\n</style>\n${[card, ...parts].join('\n')}\n</svg>\n`;
}

interface TextOptions {
  readonly name?: string | undefined;
  readonly anchor?: string;
}

function text(left: number, top: number, content: string, { name, anchor }: TextOptions = {}): string {
  const attributes = `${name ? ` class="${name}"` : ''}${anchor ? ` text-anchor="${anchor}"` : ''}`;
  const escaped = content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<text x="${left}" y="${round(top)}"${attributes}>${escaped}</text>`;
}

/** Round numbers from 0 to beyond a value: to the next of 1, 2, 5, 10, 20, 50 and so on. */
function steps(value: number): readonly number[] {
  const power = 10 ** Math.floor(Math.log10(value));
  const [top, count] = (
    [
      [1, 5],
      [2, 4],
      [5, 5],
      [10, 5],
    ] as const
  ).find(([step]) => step * power >= value)!;
  return Array.from({ length: count + 1 }, (_, index) => (index * top * power) / count);
}

/** The numbers of 1, 2, 5, 10, 20, 50 and so on that lie between some values and around them. */
function powers(values: readonly number[]): readonly number[] {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const decades = Array.from({ length: 20 }, (_, index) => 10 ** (index - 6));
  const all = decades.flatMap((power) => [power, 2 * power, 5 * power]);
  const from = all.findLastIndex((value) => value <= least);
  return all.slice(
    from,
    Math.max(
      from + 1,
      all.findIndex((value) => value >= most),
    ) + 1,
  );
}

function short(value: number): string {
  if (value >= 1e6) return `${round(value / 1e6)} M`;
  return value >= 1e3 ? `${round(value / 1e3)} k` : String(Math.round(value * 100) / 100);
}

function round(length: number): number {
  return Math.round(length * 10) / 10;
}
