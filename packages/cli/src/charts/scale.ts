/** Round values from 0 to `top` or a little above, about `count` of them. */
export function niceTicks(top: number, count = 4): readonly number[] {
  const step = niceStep(Math.max(1, top) / count);
  return Array.from({ length: Math.ceil(Math.max(1, top) / step) + 1 }, (_, index) => index * step);
}

/** The round number at or above a step: 1, 2 or 5 times a power of ten. Counts have no fractions. */
function niceStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step));
  const factor = [1, 2, 5, 10].find((each) => each * power >= step)!;
  return Math.max(1, factor * power);
}

const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200];
const DAY = 86_400;

/** Round times within a span, at most `count` of them. All are milliseconds. */
export function timeTicks(from: number, to: number, count = 8): readonly number[] {
  const seconds = (to - from) / 1e3;
  const step = (STEPS.find((each) => seconds / each <= count) ?? Math.ceil(seconds / count / DAY) * DAY) * 1e3;
  const first = Math.ceil(from / step) * step;
  return Array.from({ length: Math.max(0, Math.floor((to - first) / step) + 1) }, (_, index) => first + index * step);
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** The label of a time among ticks: a date at midnight, a time of day, with seconds where ticks have them. UTC. */
export function timeLabel(time: number, ticks: readonly number[]): string {
  const date = new Date(time);
  const [clock = ''] = date.toISOString().slice(11).split('.');
  if (clock === '00:00:00') return `${MONTHS[date.getUTCMonth()]} ${date.getUTCDate()}`;
  return ticks.some((tick) => tick % 6e4 !== 0) ? clock : clock.slice(0, 5);
}

const UNITS = [
  ['h', 3.6e6],
  ['m', 6e4],
] as const;

/** The label of a time since a start: `0`, `30 s`, `5 m`, `1.5 h`. */
export function sinceLabel(milliseconds: number): string {
  if (milliseconds === 0) return '0';
  const [unit, size] = UNITS.find(([, each]) => milliseconds % each === 0) ?? (['s', 1e3] as const);
  return `${milliseconds / size} ${unit}`;
}
