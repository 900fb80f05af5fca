import type { Bout, SoakReport } from './soak.js';
import { trendOf } from './samples.js';
import { boundOf } from '../faults/verdict.js';

/** Redis must decide again within this time after its first PONG. */
const MAX_RECOVERY_MS = 3_000;
/** Growth of the heap from the first quarter to the last. */
const MAX_GROWTH_BYTES = 2 ** 20;
/** Bouts that make a trend. */
const MIN_BOUTS = 12;

/** The bounds that a soak test breaks, in words. */
export function brokenBy({ before, bouts }: SoakReport): string[] {
  const heap = trendOf(
    bouts.map(({ sample }) => sample),
    'heap',
  );
  const grown = heap.last - heap.first;
  return [
    ...bouts.flatMap((bout) => brokenIn(bout).map((broken) => `${bout.fault.name}: ${broken}`)),
    ...bouts.flatMap(({ fault, sample }) =>
      (['keys', 'timers', 'handles'] as const).flatMap((what) =>
        sample[what] > before[what]
          ? [`${fault.name}: ${sample[what]} ${what} are left, and ${before[what]} were there`]
          : [],
      ),
    ),
    ...(bouts.length >= MIN_BOUTS && grown > MAX_GROWTH_BYTES ? [`the heap has grown by ${grown} bytes`] : []),
  ];
}

function brokenIn(bout: Bout): string[] {
  const { longest, rejections, dishonest, admitted, counted, unsure, ghosts, recovery, fault, decidedBy } = bout;
  return [
    longest > boundOf(bout) && `a decision took ${longest} ms, and ${boundOf(bout)} ms are allowed`,
    rejections.length > 0 && `${rejections.length} decisions were rejected: ${String(rejections[0])}`,
    dishonest.length > 0 && `${dishonest.length} decisions contradict themselves: ${JSON.stringify(dishonest[0])}`,
    counted > admitted + unsure &&
      `Redis has counted ${counted} requests, with ${admitted} admitted and ${unsure} without a reply`,
    counted < admitted && fault.forgets !== true && `Redis has counted ${counted} of ${admitted} requests`,
    ghosts !== 0 && `${ghosts} requests were counted after the end`,
    recovery > MAX_RECOVERY_MS && `Redis has decided again ${recovery} ms after its first PONG`,
    decidedBy.redis === 0 && 'Redis has decided nothing',
  ].filter((each) => each !== false);
}
