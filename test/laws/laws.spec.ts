import * as fc from 'fast-check';
import { conservation, usageIsCharged } from './conservation.js';
import { deniedLeavesNoTrace, failedLeavesNoTrace } from './denied-leaves-no-trace.js';
import { keysAreKnown } from './keys-are-known.js';
import { KINDS } from './kinds.js';
import { largestLimit } from './largest-limit.js';
import { histories, type Law } from './law.js';
import { noticesOnce } from './notices-once.js';
import { oneAnswer, oneAnswerInBatches } from './one-answer.js';
import { onEveryPlace, type Place } from './places.js';
import { retryAfterSuffices } from './retry-after-suffices.js';
import { settleIsExact } from './settle-is-exact.js';

const LAWS: readonly Law[] = [
  deniedLeavesNoTrace,
  failedLeavesNoTrace,
  largestLimit,
  retryAfterSuffices,
  settleIsExact,
  conservation,
  usageIsCharged,
  noticesOnce,
  keysAreKnown,
  oneAnswer,
  oneAnswerInBatches,
];

/** Histories of each kind and law. `npm run tool -- laws` sets more. */
const WANTED = process.env['SLUICE_LAW_RUNS'];
const RUNS = Number(WANTED ?? 1);
/** Milliseconds. A history whose slot fails takes up to 2 s on a busy machine. */
const TIMEOUT = 30_000 + 5_000 * RUNS;

onEveryPlace((newPlace, name) => {
  let place: Place;

  beforeEach(() => {
    place = newPlace();
    const begun = performance.now() - place.clock();
    // What a process remembers ages by its own clock.
    jest.spyOn(performance, 'now').mockImplementation(() => begun + place.clock());
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    await place.close();
  });

  // Overrides are chosen above the store, which test/laws/overrides.spec.ts holds to a limit function on a Cluster too.
  const kinds = KINDS.filter(({ overrides }) => overrides !== true || name !== 'cluster');

  describe.each(kinds.map((kind) => [kind.name, kind] as const))('%s', (_name, kind) => {
    const isExcept = (law: Law) => kind.except?.[law.name] ?? kind.except?.[`${law.name}, ${name}`];
    const holds = (law: Law) => isExcept(law) === undefined && law.isAbout?.(kind, name) !== false;
    const follows = ({ usually }: Law) => WANTED === undefined && usually?.includes(name) === false && holds(oneAnswer);
    const laws = LAWS.filter((law) => holds(law) && !follows(law));

    it.each(laws.map((law) => [law.says, law] as const))(
      '%s',
      async (_says, law) => {
        const property = fc.asyncProperty(histories(kind), (history) => law.check(kind, place, history));

        await expect(fc.assert(property, { numRuns: RUNS })).resolves.toBeUndefined();
      },
      TIMEOUT,
    );
  });
});
