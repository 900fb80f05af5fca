import type { PolicyOptions } from '../../../packages/core/src/algorithms/named/policy-options.js';
import { Budget, microseconds } from '../../support/budget.js';
import type { Random } from '../twin/random.js';
import { maximum, type Admission } from './admissions.js';

export interface Guarantee {
  readonly name: string;
  readonly options: PolicyOptions;
  /** In any span of so many milliseconds. */
  readonly span: number;
  /** At most so many units. */
  readonly bound: number;
}

const LIMIT = 100;
const WINDOW = 1000;

/** What `docs/guide/algorithms.md` promises, for 100 a second. */
export const guarantees: readonly Guarantee[] = [
  guarantee('fixed-window', { algorithm: 'fixed-window' }, WINDOW, 2 * LIMIT),
  guarantee('fixed-window, clock', { algorithm: 'fixed-window', anchor: 'clock' }, WINDOW, 2 * LIMIT),
  guarantee('sliding-window', {}, WINDOW, 2 * LIMIT - 1),
  guarantee('sliding-window, precision 10', { precision: 10 }, WINDOW, 2 * LIMIT - 1),
  guarantee('sliding-window, precision 10', { precision: 10 }, WINDOW * 0.9, LIMIT),
  guarantee('sliding-window, precision 50', { precision: 50 }, WINDOW * 0.98, LIMIT),
  guarantee('sliding-window, strict, precision 10', { precision: 10, strict: true }, WINDOW, LIMIT),
  guarantee('sliding-window, strict', { strict: true }, WINDOW, LIMIT),
  guarantee('sliding-window-log', { algorithm: 'sliding-window-log' }, WINDOW, LIMIT),
  guarantee('token-bucket', { algorithm: 'token-bucket' }, WINDOW, 2 * LIMIT),
  guarantee('token-bucket, burst 20', { algorithm: 'token-bucket', burst: 20 }, WINDOW, LIMIT + 20),
  guarantee(
    'token-bucket, burst 20, overdraft 50 (settled)',
    { algorithm: 'token-bucket', burst: 20, overdraft: 50 },
    WINDOW,
    LIMIT + 20 + 50,
  ),
  guarantee('leaky-bucket, queue 20 (output)', { algorithm: 'leaky-bucket', queue: 20 }, WINDOW, LIMIT),
  guarantee('multi-window', { algorithm: 'multi-window', windows: twoWindows() }, WINDOW, 2 * LIMIT - 1),
  guarantee(
    'multi-window, its longer window',
    { algorithm: 'multi-window', windows: twoWindows() },
    4 * WINDOW,
    2 * 150 - 1,
  ),
];

/** The maximum units in any span, over so many random attempts to exceed the limit. */
export function worst({ options, span }: Guarantee, random: Random, moves: number): number {
  const budget = new Budget(options);
  const admissions: Admission[] = [];
  // The edges of slots and windows, around which the worst patterns spend.
  const grain = random.pick([WINDOW, WINDOW / 10, WINDOW / 50, WINDOW / LIMIT]);
  let now = 0;
  for (let move = 0; move < moves; move += 1) {
    now = next(now, grain, random);
    const { remaining } = budget.look(now, 0);
    const cost = random.chance(0.6) ? remaining : random.integer(1, Math.max(1, Math.ceil(remaining / 2)));
    if (cost === 0 && !('overdraft' in options)) continue;
    // A queue takes its requests one by one, for each has a delay of its own.
    const units = options.algorithm === 'leaky-bucket' && 'queue' in options ? new Array<number>(cost).fill(1) : [cost];
    for (const each of units) {
      const { charged, delay } = budget.take(now, each);
      if (charged > 0) admissions.push({ at: microseconds(now) + delay, units: charged });
    }
    if ('overdraft' in options && random.chance(0.5)) {
      admissions.push({ at: microseconds(now), units: budget.settle(now, random.integer(1, LIMIT)).charged });
    }
  }
  return maximum(admissions, span * 1000);
}

function next(now: number, grain: number, random: Random): number {
  switch (random.integer(0, 5)) {
    case 0:
      return now + 0.001;
    case 1:
      return (Math.floor(now / grain) + 1) * grain - 0.001;
    case 2:
      return (Math.floor(now / grain) + 1) * grain;
    case 3:
      return (Math.floor(now / WINDOW) + 1) * WINDOW - random.pick([0, 0.001]);
    case 4:
      return now + grain * random.fraction();
    default:
      return now + WINDOW * random.fraction() * random.pick([0.1, 1, 2]);
  }
}

function guarantee(name: string, options: object, span: number, bound: number): Guarantee {
  const numbers = 'windows' in options ? {} : { limit: LIMIT, window: WINDOW };
  return { name, options: { ...numbers, ...options } as PolicyOptions, span, bound };
}

function twoWindows() {
  return [
    { limit: LIMIT, window: WINDOW },
    { limit: 150, window: 4 * WINDOW },
  ];
}
