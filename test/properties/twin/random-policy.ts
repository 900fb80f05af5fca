import { definePolicy, type PolicyOptions } from '../../../packages/core/src/algorithms/named/policy-options.js';
import { withMovingLimit } from '../../../packages/core/src/algorithms/token-bucket/moving-bucket.js';
import { isSluiceError } from '../../../packages/core/src/model/errors.js';
import type { AlgorithmName } from '../../../packages/core/src/algorithms/named/algorithms.js';
import type { Policy } from '../../../packages/core/src/model/policy.js';
import type { Random } from './random.js';

export const ALGORITHMS = [
  'fixed-window',
  'sliding-window',
  'sliding-window-log',
  'token-bucket',
  'leaky-bucket',
  'multi-window',
  'concurrency',
  'backoff',
  'pause',
] as const satisfies readonly AlgorithmName[];

/** Those whose units come back by time, one after the other. */
export const RATES = ALGORITHMS.filter((each) => each !== 'concurrency' && each !== 'backoff' && each !== 'pause');

/** Algorithms of groups that have scripts of their own. */
export const MADE: readonly (readonly AlgorithmName[])[] = [
  ['fixed-window'],
  ['sliding-window'],
  ['token-bucket'],
  ['fixed-window', 'concurrency'],
  ['sliding-window', 'concurrency'],
  ['token-bucket', 'concurrency'],
  ['sliding-window', 'fixed-window', 'token-bucket'],
  ['concurrency', 'sliding-window', 'fixed-window', 'token-bucket'],
];

export interface RandomPolicy {
  readonly options: PolicyOptions;
  readonly policy: Policy;
  /** A bucket whose limit moves. */
  readonly moves: boolean;
}

const DAYS_400 = 400 * 86_400_000;

/**
 * Policies of one algorithm that can share a key: their dimensions are equal, their limits differ.
 *
 * @param scale milliseconds, the order of magnitude of the windows
 */
export function randomPolicies(algorithm: AlgorithmName, random: Random, scale: number, count: number): RandomPolicy[] {
  for (;;) {
    const shape = randomShape(algorithm, random, scale);
    const policies: RandomPolicy[] = [];
    // Some limits have no tick that divides the slot.
    for (let attempt = 0; attempt < 3 * count && policies.length < count; attempt += 1) {
      const options = { ...shape, ...randomLimits(shape, random) } as PolicyOptions;
      const policy = tryDefine(options);
      const moves = shape.moves === true;
      if (policy) policies.push({ options, policy: moves ? withMovingLimit(policy) : policy, moves });
    }
    if (policies.length > 0) return policies;
  }
}

type Shape = {
  algorithm: AlgorithmName;
  window?: number;
  hold?: number;
  windows?: { window: number }[];
  queued?: boolean;
  moves?: boolean;
};

function randomShape(algorithm: AlgorithmName, random: Random, scale: number): Shape {
  const window = randomWindow(random, scale);
  switch (algorithm) {
    case 'fixed-window':
      return { algorithm, window, ...(random.chance(0.5) && { anchor: 'clock' }) };
    case 'sliding-window': {
      const slots = random.chance(0.4) ? {} : { precision: randomDivisor(window * 1000, random) };
      return { algorithm, window, ...slots, ...(random.chance(0.4) && { strict: true }) };
    }
    case 'multi-window': {
      const divisor = Math.max(1, Math.floor(window / random.integer(1, 20)));
      const factors = new Set(Array.from({ length: random.integer(2, 4) }, () => random.magnitude(1, 60)));
      const windows = [...factors].map((factor) => ({ window: Math.min(divisor * factor, DAYS_400) }));
      return { algorithm, windows, ...(random.chance(0.3) && { precision: random.pick([1, 2, 4, 5, 10]) }) };
    }
    case 'pause':
      return { algorithm };
    case 'concurrency': {
      const hold = Math.min(3_600_000, Math.max(1_000, window));
      return { algorithm, hold };
    }
    case 'leaky-bucket':
      return { algorithm, window, moves: random.chance(0.4) };
    case 'token-bucket': {
      const overdraft = random.chance(0.4) && { overdraft: randomLimit(random, 1e7) };
      return { algorithm, window, ...overdraft, moves: random.chance(0.4) };
    }
    default:
      return { algorithm, window };
  }
}

function randomLimits(shape: Shape, random: Random): object {
  switch (shape.algorithm) {
    case 'sliding-window-log':
      return { limit: random.chance(0.02) ? random.magnitude(1, 10_000) : random.magnitude(1, 40) };
    case 'pause':
      return {};
    case 'backoff': {
      const limit = random.chance(0.1) ? 0 : random.integer(1, 6);
      const delays = Array.from({ length: random.chance(0.1) ? 16 : random.integer(1, 5) }, () =>
        random.magnitude(1, shape.window!),
      );
      const lock = random.chance(0.3) ? { lockAt: limit + random.integer(1, 8) } : {};
      return { limit, delays, ...lock, forgive: random.pick(['one', 'all']) };
    }
    case 'concurrency':
      return {
        limit: random.chance(0.02) ? random.magnitude(1, 10_000) : random.magnitude(1, 12),
        retry: random.magnitude(1, 5_000),
      };
    case 'multi-window':
      return { windows: shape.windows!.map(({ window }) => ({ window, limit: randomLimit(random, 2 ** 32 - 1) })) };
    case 'token-bucket':
      return { limit: randomLimit(random, 9e7), ...(random.chance(0.5) && { burst: randomLimit(random, 9e7) }) };
    case 'leaky-bucket':
      return { limit: randomLimit(random, 9e7), queue: randomLimit(random, 9e7) - 1 };
    case 'sliding-window':
      // Around 64 the form of the state changes.
      return { limit: random.chance(0.15) ? 64 + random.integer(-2, 3) : randomLimit(random, 2 ** 32 - 1) };
    default:
      return { limit: randomLimit(random, 2 ** 32 - 1) };
  }
}

/** Usually small, so that requests reach the limit. Sometimes near 2^20, where the encoding changes, or the maximum. */
function randomLimit(random: Random, max: number): number {
  const kind = random.integer(0, 19);
  if (kind < 9) return random.integer(1, 12);
  if (kind < 14) return random.magnitude(10, 1000);
  if (kind < 16) return random.magnitude(1, max);
  if (kind < 18) return Math.min(max, 2 ** 20 + random.integer(-3, 3));
  return kind === 18 ? max : random.pick([10, 60, 100, 1000, 5000, 10_000, 1_000_000]);
}

function randomWindow(random: Random, scale: number): number {
  const factor = random.pick([1, 1, 1, 1, 2, 5, 10, 60, 0.1, 0.5, 0.01]);
  const window = Math.max(1, Math.min(DAYS_400, Math.round(scale * factor)));
  return random.chance(0.2) ? random.magnitude(Math.max(1, window / 10), window) : window;
}

function randomDivisor(microseconds: number, random: Random): number {
  const divisors = Array.from({ length: 250 }, (_, index) => index + 1).filter((each) => microseconds % each === 0);
  return random.chance(0.3) ? divisors.at(-1)! : random.pick(divisors);
}

function tryDefine({
  queued: _queued,
  moves: _moves,
  ...options
}: PolicyOptions & Pick<Shape, 'queued' | 'moves'>): Policy | undefined {
  try {
    return definePolicy(options);
  } catch (error) {
    if (isSluiceError(error)) return undefined;
    throw error;
  }
}
