import { DURATION, requests } from './input.js';
import type { Subject } from './subjects.js';
import { admissions, cumulative, perBin, trailing, type Step } from './trace.js';

const WIDTH = 760;
const LEFT = 52;
const RIGHT = 742;
const BIN = 2_000;

/** A strip of a picture that shares the time axis: values from 0 to `top`. */
interface Panel {
  readonly y: number;
  readonly height: number;
  readonly top: number;
  readonly caption: string;
}

// A card with its own background is legible on any page, also in dark mode.
const STYLE = `
text{font:12px system-ui,sans-serif;fill:#57606a}
.title{font-weight:600;fill:#1f2328}
.card{fill:#fff;stroke:#d0d7de}
.grid{stroke:#d0d7de;fill:none}
.offered{fill:#c9d1d9}
.offered-line{stroke:#afb8c1;fill:none;stroke-width:1.5}
.admitted{fill:#0969da}
.admitted-line{stroke:#0969da;fill:none;stroke-width:2}
.second-line{stroke:#8250df;fill:none;stroke-width:1.5}
.limit{stroke:#cf222e;fill:none;stroke-dasharray:6 4}
.most{stroke:#cf222e;fill:none;stroke-dasharray:1 4}
.red{fill:#cf222e}
.blue{fill:#0969da}
.purple{fill:#8250df}
@media(prefers-color-scheme:dark){
text{fill:#9198a1}
.title{fill:#f0f6fc}
.card{fill:#0d1117;stroke:#3d444d}
.grid{stroke:#3d444d}
.offered{fill:#3d444d}
.offered-line{stroke:#656c76}
.admitted{fill:#4493f8}
.admitted-line{stroke:#4493f8}
.second-line{stroke:#ab7df8}
.limit,.most{stroke:#f85149}
.red{fill:#f85149}
.blue{fill:#4493f8}
.purple{fill:#ab7df8}
}`;

/** The SVG of a policy: the requests that it admits, in bins, over its windows and in total. */
export function chart(subject: Subject): string {
  const admitted = admissions(subject);
  const parts = [
    `<title>${subject.title}</title>`,
    `<style>${STYLE}\n</style>`,
    `<rect class="card" x=".5" y=".5" width="${WIDTH - 1}" height="463" rx="6"/>`,
    text(LEFT, 22, subject.title, 'title'),
    ...binsPanel(admitted),
    ...windowsPanel(subject, admitted),
    ...totalPanel(subject, admitted),
    ...[0, 30, 60, 90, 120, 150, 180, 210, 240].map((second) =>
      text(x(second * 1e3), 455, `${second} s`, undefined, second === 240 ? 'end' : 'middle'),
    ),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} 464" role="img">\n${parts.join('\n')}\n</svg>\n`;
}

function binsPanel(admitted: readonly number[]): string[] {
  const panel = { y: 56, height: 90, top: 40, caption: 'requests in 2 s: all, and admitted' };
  const bins = DURATION / BIN;
  const bars = (moments: readonly number[]) =>
    perBin(moments, BIN, bins)
      .map((count, bin) => (count === 0 ? '' : bar(panel, bin * BIN, count)))
      .join('');
  return [
    ...frame(panel, [0, 20, 40]),
    `<path class="offered" d="${bars(requests)}"/>`,
    `<path class="admitted" d="${bars(admitted)}"/>`,
  ];
}

function windowsPanel({ windows }: Subject, admitted: readonly number[]): string[] {
  const names = windows.map(({ window }) => `${window / 1e3} s`).join(' and in the last ');
  const panel = { y: 182, height: 110, top: 130, caption: `admitted in the last ${names}` };
  const lines = windows.flatMap(({ window, limit, most }, index) => [
    level(panel, limit, 'limit', `limit ${limit}`),
    ...(most === limit ? [] : [level(panel, most, 'most', `at most ${most}`)]),
    `<path class="${index === 0 ? 'admitted-line' : 'second-line'}" d="${steps(panel, trailing(admitted, window))}"/>`,
  ]);
  return [...frame(panel, [0, 60, 120]), ...lines];
}

function totalPanel({ windows, burst }: Subject, admitted: readonly number[]): string[] {
  const panel = { y: 328, height: 110, top: 380, caption: 'added up: all requests, and admitted' };
  const { limit, window } = windows[0]!;
  const bound = burst + (limit * DURATION) / window;
  const slope = `M${x(0)} ${y(panel, burst)}L${x(DURATION)} ${y(panel, bound)}`;
  return [
    ...frame(panel, [0, 180, 360]),
    `<path class="offered-line" d="${steps(panel, cumulative(requests))}"/>`,
    `<path class="limit" d="${slope}"/>`,
    text(LEFT + 6, round(y(panel, burst) - 16), `${burst} + ${limit} a minute`, 'red'),
    `<path class="admitted-line" d="${steps(panel, cumulative(admitted))}"/>`,
  ];
}

/** Caption, axis labels and grid of a panel. */
function frame(panel: Panel, labels: readonly number[]): string[] {
  const across = labels.map((value) => `M${LEFT} ${y(panel, value)}H${RIGHT}`).join('');
  const down = [60, 120, 180].map((second) => `M${x(second * 1e3)} ${panel.y}v${panel.height}`).join('');
  return [
    text(LEFT, panel.y - 8, panel.caption),
    `<path class="grid" d="${across}${down}"/>`,
    ...labels.map((value) => text(LEFT - 8, y(panel, value) + 4, String(value), undefined, 'end')),
  ];
}

function bar(panel: Panel, at: number, count: number): string {
  const top = y(panel, count);
  return `M${x(at)} ${top}h4.8V${panel.y + panel.height}h-4.8z`;
}

function level(panel: Panel, value: number, name: string, label: string): string {
  const height = y(panel, value);
  return `<path class="${name}" d="M${LEFT} ${height}H${RIGHT}"/>${text(RIGHT - 4, height - 4, label, 'red', 'end')}`;
}

/** The line of a value that changes in steps, from 0 at the start. */
function steps(panel: Panel, changes: readonly Step[]): string {
  const shown = changes.filter(([at]) => at <= DURATION);
  return `M${x(0)} ${y(panel, 0)}${shown.map(([at, value]) => `H${x(at)}V${y(panel, value)}`).join('')}H${x(DURATION)}`;
}

function text(left: number, top: number, content: string, name?: string, anchor?: string): string {
  const attributes = `${name ? ` class="${name}"` : ''}${anchor ? ` text-anchor="${anchor}"` : ''}`;
  return `<text x="${left}" y="${top}"${attributes}>${content}</text>`;
}

function x(milliseconds: number): number {
  return round(LEFT + ((RIGHT - LEFT) * milliseconds) / DURATION);
}

function y(panel: Panel, value: number): number {
  return round(panel.y + panel.height * (1 - value / panel.top));
}

function round(length: number): number {
  return Math.round(length * 10) / 10;
}
