import type { Bout, SoakReport } from './soak.js';
import { trendOf } from './soak-sample.js';
import { boundOf } from './verdict.js';

/** Milliseconds after the first PONG within which Redis has to decide again. */
const RECOVERY = 3_000;
/** Bytes that the heap may have grown by from the first quarter of a soak to its last. */
const GROWTH = 2 ** 20;
/** Bouts that it takes to speak of a trend. */
const ENOUGH = 12;

/** What does not hold of what has to: empty where all is well. */
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
    ...(bouts.length >= ENOUGH && grown > GROWTH ? [`the heap has grown by ${grown} bytes`] : []),
  ];
}

function brokenIn(bout: Bout): string[] {
  const { longest, rejections, dishonest, admitted, counted, unsure, ghosts, recovery, fault, decidedBy } = bout;
  return [
    longest > boundOf(bout) && `a decision took ${longest} ms, and ${boundOf(bout)} ms are allowed`,
    rejections.length > 0 && `${rejections.length} decisions were rejected: ${String(rejections[0])}`,
    dishonest.length > 0 && `${dishonest.length} decisions are not what they say: ${JSON.stringify(dishonest[0])}`,
    counted > admitted + unsure &&
      `Redis has counted ${counted} hits, of ${admitted} admitted and ${unsure} unanswered`,
    counted < admitted && fault.forgets !== true && `Redis has counted ${counted} hits of ${admitted}`,
    ghosts !== 0 && `${ghosts} hits were counted after the end`,
    recovery > RECOVERY && `Redis has decided again ${recovery} ms after its first PONG`,
    decidedBy.redis === 0 && 'Redis has decided nothing',
  ].filter((each) => each !== false);
}
