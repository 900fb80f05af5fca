import { tag } from '../../packages/cli/src/charts/svg.js';
import { countText } from '../../packages/cli/src/terminal/figures.js';
import { loadOf } from '../../packages/cli/src/simulate/load.js';
import { typedTier } from '../../packages/cli/src/limits/typed-tier.js';
import type { SimulatedClient } from '../../packages/cli/src/simulate/simulated-client.js';
import { simulate } from '../../packages/cli/src/simulate/simulation.js';
import { reportOf, type LimitsReport } from '../../packages/cli/src/simulate/simulation-report.js';

const LIMIT = 100;
const MINUTES = 4;
const ALGORITHMS = ['fixed-window', 'sliding-window', 'token-bucket burst=20'];
/** Of a lane, in units of its picture. It stretches to the width of the page. */
const HEIGHT = 60;
/** The top of the lanes, in requests. */
const MOST = 2 * LIMIT;

/** One client sends a request a second, and a burst on either side of the end of the first minute, and of the third. */
const bursts = [48, 61, 168, 181].flatMap((second) =>
  Array.from({ length: 90 }, (_, index) => ({ time: second * 1e3 + index * 100 + 50, client: 0, cost: 1 })),
);
const load = loadOf(['steady:1/s'], { duration: MINUTES * 60_000, seed: 1, traced: bursts });

/** Three algorithms on the same requests, as markup: what the library decides, over four minutes. */
export function movingPicture(): string {
  const lanes = ALGORITHMS.map((algorithm) => {
    const limits = simulate([typedTier<SimulatedClient>('picture', `${LIMIT}/1m ${algorithm}`)], load);
    return { algorithm, report: reportOf(load, { limits, against: undefined, text: '', seed: 1 }) };
  });
  const [{ offered }] = [lanes[0]!.report];
  return [
    lane('requests', `${countText(load.arrivals.length)} in ${MINUTES} minutes`, bars('area-offered', offered, 24)),
    ...lanes.map(({ algorithm, report }) => laneOf(algorithm, report.limits, report.offered)),
  ].join('');
}

function laneOf(algorithm: string, { tiers, denied, inWindow, timeline }: LimitsReport, offered: readonly number[]) {
  const [name = '', option] = algorithm.split(' ');
  const most = `at most ${tiers[0]!.worstWindow} in a minute, ${countText(denied)} denied`;
  const refused = offered.map((count, bin) => count - timeline[bin]!);
  return lane(
    option === undefined ? name : `${name}, ${option.replace('=', ' ')}`,
    most,
    area('area-admitted', inWindow, MOST),
    bars('area-denied', refused, 48),
    tag('path', { class: 'level', d: `M0 ${HEIGHT / 2}H${inWindow.length}`, 'vector-effect': 'non-scaling-stroke' }),
  );
}

/** A caption, and a picture over time that is shown from left to right. */
function lane(name: string, result: string, ...drawn: readonly string[]): string {
  const bins = load.duration / 1e3;
  const box = { viewBox: `0 0 ${bins} ${HEIGHT}`, preserveAspectRatio: 'none', 'aria-hidden': 'true' };
  return tag(
    'div',
    { class: 'lane' },
    tag('div', { class: 'caption' }, tag('strong', {}, name), tag('span', {}, result)),
    tag('div', { class: 'strip' }, tag('svg', box, ...drawn)),
  );
}

function bars(style: string, counts: readonly number[], most: number): string {
  const path = counts.map((count, bin) => (count === 0 ? '' : `M${bin} ${HEIGHT}V${y(count, most)}h1V${HEIGHT}z`));
  return tag('path', { class: style, d: path.join('') });
}

function area(style: string, values: readonly number[], most: number): string {
  const steps = values.map((value) => `V${y(value, most)}h1`);
  return tag('path', { class: style, d: `M0 ${HEIGHT}${steps.join('')}V${HEIGHT}z` });
}

function y(value: number, most: number): number {
  return HEIGHT * (1 - Math.min(1, value / most));
}
