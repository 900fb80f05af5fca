import { useEffect, useRef } from 'preact/hooks';
import UPlot from 'uplot';
import type { History } from '../src/messages.ts';
import { sumOf } from './numbers.ts';

const HEIGHT = 180;
/** Pixels of the strip on top of a band. */
const STRIP = 3;

interface ChartProps {
  readonly history: History;
  /** What the picture shows, for readers that do not see it. */
  readonly label: string;
}

/**
 * Requests a second over time: all, and painted over them the denied, the undecided and the refused ones. Behind them a
 * band marks the time in which the store did not answer.
 */
export function Chart({ history, label }: ChartProps) {
  const holder = useRef<HTMLDivElement>(null);
  const chart = useRef<UPlot>(null);
  const data = dataOf(history);
  const latest = useRef({ data, history });
  latest.current = { data, history };

  useEffect(() => {
    const element = holder.current!;
    const paintBehind = (plot: UPlot) => paintOutages(plot, latest.current.history);
    const made = new UPlot(optionsFor(element.clientWidth, paintBehind), latest.current.data, element);
    chart.current = made;
    const onSize = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: HEIGHT }));
    onSize.observe(element);
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    const onScheme = () => made.redraw();
    scheme.addEventListener('change', onScheme);
    return () => {
      scheme.removeEventListener('change', onScheme);
      onSize.disconnect();
      made.destroy();
    };
  }, []);
  useEffect(() => chart.current?.setData(data), [history]);

  return <div class="chart" role="img" aria-label={label} ref={holder} />;
}

function dataOf({ step, ok, denied, never, unavailable, shed }: History): UPlot.AlignedData {
  const now = Date.now() / 1e3;
  const seconds = step / 1e3;
  const times = ok.map((_, index) => now - (ok.length - 1 - index) * seconds);
  // Each band lies on the others that are painted after it.
  const heightOf = (...bands: readonly (readonly number[])[]) =>
    times.map((_, index) => sumOf(bands.map((counts) => counts[index]!)) / seconds);
  return [
    times,
    heightOf(ok, denied, never, unavailable, shed),
    ...[heightOf(denied, never, unavailable, shed), heightOf(unavailable, shed), heightOf(shed)].map(withoutZeros),
  ];
}

/** A line at zero would hide the axis. One zero beside a number stays, where the line rises. */
function withoutZeros(values: readonly number[]): (number | null)[] {
  const isZero = (index: number) => (values[index] ?? 0) === 0;
  return values.map((value, index) => (isZero(index - 1) && isZero(index) && isZero(index + 1) ? null : value));
}

/** A band of full height with a strip on top, which is seen behind any traffic. */
function paintOutages(plot: UPlot, { outage, step }: History): void {
  const { ctx, bbox, data } = plot;
  const [times] = data;
  const placeOf = (time: number) => Math.max(bbox.left, plot.valToPos(time, 'x', true));
  ctx.save();
  for (let index = 0; index < outage.length; index += 1) {
    if (outage[index] === 0) continue;
    const first = index;
    while (outage[index + 1] === 1) index += 1;
    const from = placeOf(times[first]! - step / 1e3);
    const width = Math.max(2, placeOf(times[index]!) - from);
    ctx.fillStyle = colorOf('outage-soft');
    ctx.fillRect(from, bbox.top, width, bbox.height);
    ctx.fillStyle = colorOf('outage');
    ctx.fillRect(from, bbox.top, width, STRIP * devicePixelRatio);
  }
  ctx.restore();
}

function optionsFor(width: number, paintBehind: (plot: UPlot) => void): UPlot.Options {
  const series = (color: string): UPlot.Series => ({
    stroke: () => colorOf(color),
    fill: () => colorOf(`${color}-soft`),
    width: 1.25,
    points: { show: false },
  });
  const axis: UPlot.Axis = {
    stroke: () => colorOf('muted'),
    font: '11px system-ui, sans-serif',
    ticks: { show: false },
    grid: { stroke: () => colorOf('line'), width: 1 },
  };
  return {
    width,
    height: HEIGHT,
    // The last time of the axis needs room.
    padding: [8, 20, 0, 0],
    legend: { show: false },
    cursor: { show: false },
    hooks: { drawClear: [paintBehind] },
    scales: { y: { range: (_, __, most) => [0, Math.max(1, most * 1.1)] } },
    axes: [
      { ...axis, grid: { show: false }, size: 24, values: (_, times) => times.map(clockText) },
      {
        ...axis,
        size: 44,
        values: (_, values) => values.map((value) => (value >= 1e4 ? `${value / 1e3}k` : `${value}`)),
      },
    ],
    series: [{}, ...['ok', 'denied', 'unavailable', 'shed'].map(series)],
  };
}

function colorOf(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`);
}

function clockText(time: number): string {
  return new Date(time * 1e3).toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit', hour12: false });
}
