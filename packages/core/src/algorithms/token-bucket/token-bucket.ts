// token-bucket/ computes what fits a token bucket, alike in Lua, and what a request waits: here, and in moving-bucket.ts
// where the limit moves. An arrival time, a cost and a time enter. It imports the algorithms' shared files.
import { RATE_FACTS, type AlgorithmFacts } from '../../model/algorithm-facts.js';
import type { ErrorCode } from '../../model/errors.js';
import type { OptionReader } from '../../options/option-reader.js';
import type { OptionRow, OptionRows } from '../../options/option-row.js';
import type { Algorithm, NamedAlgorithm } from '../algorithm.js';
import { cellsOf, type Cells, type Kernel } from '../kernel.js';
import { LONGEST_US, MOST_EVEN_UNITS } from '../most-units.js';
import { LIMIT_ROW, type Rate, RATE_OPTIONS } from '../rate.js';
import { stepsOf } from '../steps-of.js';
import { ceiling, earlier, subtract, timeOf, unitsBegun, unitsIn, type ArrivalTime } from './arrival-time.js';
import { bucketTerms, overdraft, type BucketPolicy } from './bucket-policy.js';
import { movingBucket, withMovingLimit } from './moving-bucket.js';

export interface TokenBucketOptions<Limit = number> extends Rate<Limit> {
  /** `'token-bucket'` refills `limit` units in a `window`, and allows `burst` together. `'gcra'` is the same. */
  algorithm: 'token-bucket' | 'gcra';
  /**
   * Units that a client may spend together: the size of the bucket, at most 9 x 10^7. Lower it to smooth clients that
   * spend a whole window in a second.
   *
   * @default limit
   */
  burst?: number;
  /**
   * Units that `settle` may charge beyond an empty bucket, at most 10^7. They refill before any request fits, so that a
   * client that uses more than it reserved pays for it later. Tiers with another overdraft have another count.
   *
   * @default 0
   */
  overdraft?: number;
}

/** Beside MOST_EVEN_UNITS, all products with a remainder stay below 2^53. */
const MAX_OVERDRAFT = 1e7;

export const BUCKET_RATE = { ...RATE_OPTIONS, limit: { ...LIMIT_ROW, integer: [1, MOST_EVEN_UNITS] } } as const;
const OPTIONS = {
  ...BUCKET_RATE,
  burst: { code: 'BURST_INVALID', integer: [1, MOST_EVEN_UNITS] },
  overdraft: { integer: [0, MAX_OVERDRAFT], otherwise: 0 },
} as const satisfies OptionRows;

/** The units that a bucket holds. */
interface BucketSize extends OptionRow {
  readonly code: ErrorCode;
  readonly integer: readonly [number, number];
}

const kernel: Kernel<BucketPolicy> = {
  width: 2,

  roll(cells, at, now, { limit, mostDebt }) {
    const wasAhead = isBeyond(cells[at]!, cells[at + 1]!, now, mostDebt);
    // A rest that was stored under another limit counts other parts.
    if (cells[at + 1]! >= limit) {
      cells[at]! += 1;
      cells[at + 1] = 0;
    }
    if (isBeyond(cells[at]!, cells[at + 1]!, now, mostDebt)) {
      cells[at] = now + mostDebt[0];
      cells[at + 1] = mostDebt[1];
    }
    return wasAhead;
  },

  wait(cells, at, now, { limit, quotient, remainder, tolerance }, cost) {
    const ticks = debt(cells, at, now) + cost * quotient - tolerance[0];
    const parts = debtRest(cells, at, now) + cost * remainder - tolerance[1];
    return Math.max(0, ceiling(ticks, parts, limit));
  },

  remaining(cells, at, now, policy) {
    const { tolerance } = policy;
    return unitsIn(tolerance[0] - debt(cells, at, now), tolerance[1] - debtRest(cells, at, now), policy);
  },

  charge(cells, at, now, policy, cost) {
    const { limit, quotient, remainder, tolerance } = policy;
    const parts = debtRest(cells, at, now) + cost * remainder;
    const carry = Math.floor(parts / limit);
    const ticks = debt(cells, at, now) + cost * quotient + carry;
    const rest = parts - carry * limit;
    if (ticks > tolerance[0] || (ticks === tolerance[0] && rest > tolerance[1])) {
      // Only whole units are charged, because a refund gives back whole units. Overdrawn units stay owed.
      const units = kernel.remaining(cells, at, now, policy);
      if (units > 0) kernel.charge(cells, at, now, policy, units);
      return;
    }
    cells[at] = now + ticks;
    cells[at + 1] = rest;
  },

  describe(cells, at, now, policy, { charged, retryAfter }) {
    const { capacity, quota, limit, quotient, remainder, tolerance } = policy;
    const ticks = tolerance[0] - debt(cells, at, now);
    const parts = tolerance[1] - debtRest(cells, at, now);
    const remaining = unitsIn(ticks, parts, policy);
    const following = remaining + 1;
    const replenishAfter =
      remaining === capacity ? 0 : ceiling(following * quotient - ticks, following * remainder - parts, limit);
    const resetAfter = ceiling(debt(cells, at, now), debtRest(cells, at, now), limit);
    return { charged, limit: quota, remaining, retryAfter, replenishAfter, resetAfter, delay: 0 };
  },
};

/**
 * A bucket of `burst` units that refills at limit / window, as the generic cell rate algorithm (ITU-T I.371). Its state
 * is the time at which it is full again. At most burst + limit x W / window in any W. Settled costs: `overdraft` more.
 */
export const tokenBucket: Algorithm<BucketPolicy, ArrivalTime> & NamedAlgorithm<'token-bucket'> = {
  ...RATE_FACTS,
  ...stepsOf(() => kernel),
  refill: 'evenly',
  mayLease: true,
  name: 'token-bucket',
  code: 'tb',
  aliases: ['gcra'],
  moving: withMovingLimit,
  keyType: 'string',
  twin: 'tb',
  options: OPTIONS,
  packing: {
    // Lua has exact integers below 2^53, and a script charges before it knows what fits.
    path: ({ remainder, capacity, quotient }) => (remainder === 0 && capacity * quotient < 2 ** 51 ? 'tb' : undefined),
    unpack: (numbers, position, now) => [now + numbers[position]!, 0],
  },

  define(options) {
    const bucket = defineBucket(
      options,
      { bucket: tokenBucket, moving: movingBucket },
      { name: 'burst', row: OPTIONS.burst },
    );
    const units = options.one('overdraft', OPTIONS.overdraft);
    return units === 0 ? bucket : withOverdraft(options, bucket, units);
  },

  overdraft,

  refund(stored, now, policy, charge) {
    const { units, until } = charge;
    const tat = inParts(stored, policy.limit);
    const owed = earlier(timeOf(units, policy), [Math.max(0, until - now), 0]);
    const cells = cellsOf(tat);
    const back = earlier(owed, [debt(cells, 0, now), debtRest(cells, 0, now)]);
    // A unit that is refilled in part counts as given back.
    return { state: subtract(tat, back, policy.limit), given: unitsBegun(back, policy) };
  },

  expiresAt(tat) {
    return tat[1] > 0 ? tat[0] + 1 : tat[0];
  },

  terms(tat, now, policy) {
    const cells = cellsOf(tat);
    const { limit, window } = policy;
    return bucketTerms((debt(cells, 0, now) + debtRest(cells, 0, now) / limit) / (window / limit), policy);
  },
};

/** What decides at a limit that stays, and where it moves from request to request. */
interface BucketAlgorithms {
  readonly bucket: AlgorithmFacts;
  readonly moving: AlgorithmFacts;
}

/** Defines a token or leaky bucket. @param size the option with the units that a bucket holds beyond `servedAtOnce` */
export function defineBucket(
  options: OptionReader,
  { bucket, moving }: BucketAlgorithms,
  size: { name: string; row: BucketSize; servedAtOnce?: number },
): BucketPolicy {
  const { limit, window } = options.read(BUCKET_RATE);
  const { servedAtOnce = 0 } = size;
  const capacity = servedAtOnce + (options.one(size.name, size.row) ?? limit);
  const interval = { limit, quotient: Math.floor(window / limit), remainder: window % limit, capacity };
  if (capacity * (window / limit) > LONGEST_US) {
    const most = Math.floor((LONGEST_US / window) * limit) - servedAtOnce;
    throw options.fail(size.row.code, size.name, `must refill within 400 days: at this rate at most ${most} do`);
  }
  const tolerance = timeOf(capacity, interval);
  return Object.freeze({
    algorithm: bucket,
    moving,
    ...interval,
    quota: capacity,
    window,
    // Rests keep fractions exact, so microseconds always fit.
    tick: 1,
    tolerance,
    mostDebt: tolerance,
    settling: undefined,
    dimensions: `${bucket.name} ${window}`,
    numbers: [1, capacity, limit, interval.quotient, interval.remainder, 0],
  });
}

/** A bucket whose settled costs may exceed it. */
function withOverdraft(options: OptionReader, bucket: BucketPolicy, units: number): BucketPolicy {
  const { window, limit } = bucket;
  const capacity = bucket.capacity + units;
  if (capacity * (window / limit) > LONGEST_US) {
    const most = Math.floor((LONGEST_US / window) * limit) - bucket.capacity;
    const rule = `must refill after the bucket, within 400 days together: at this rate at most ${most} do`;
    throw options.fail('OPTION_INVALID', 'overdraft', rule);
  }
  const mostDebt = timeOf(capacity, { ...bucket, capacity });
  const owing = { ...bucket, mostDebt, dimensions: `${bucket.dimensions} overdraft ${units}` };
  // A settled cost sees one larger bucket.
  const settling = Object.freeze({
    ...owing,
    capacity,
    tolerance: mostDebt,
    numbers: bucket.numbers.with(1, capacity),
  });
  return Object.freeze({ ...owing, settling, numbers: bucket.numbers.with(5, units) });
}

/** A rest that was stored under another limit counts other parts. */
function inParts(stored: ArrivalTime, limit: number): ArrivalTime {
  return stored[1] < limit ? stored : [stored[0] + 1, 0];
}

/** What is spent and not yet refilled, in whole ticks. */
function debt(cells: Cells, at: number, now: number): number {
  return Math.max(0, cells[at]! - now);
}

/** The rest of the debt. It has a function of its own, because a pair would cost an allocation in each step. */
function debtRest(cells: Cells, at: number, now: number): number {
  return cells[at]! < now ? 0 : cells[at + 1]!;
}

/** True for an arrival time that is further ahead of the clock than a debt. */
function isBeyond(ticks: number, rest: number, now: number, most: ArrivalTime): boolean {
  return ticks > now + most[0] || (ticks === now + most[0] && rest > most[1]);
}
