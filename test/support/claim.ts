export type ClaimOptions = Partial<Omit<Claim, 'policy' | 'terms'>> & {
  policy?: PolicyOptions | Policy;
  /** What its tier has fixed. */
  charge?: Charging;
  lease?: Lease | undefined;
  onStoreFailure?: OnStoreFailure;
  takesAll?: boolean;
  localPolicy?: Policy;
  /** The hash tag of the key. */
  tag?: string;
};
import { definePolicy, type Policy, type PolicyOptions } from '../../packages/core/src/index.js';
import type { MonthAndDay } from '../../packages/core/src/algorithms/fixed-window/calendar-options.js';
import { type Charging, type Claim, type Lease, type OnStoreFailure } from '../../packages/core/src/model/claim.js';

let tags = 0;

/** A tag that is unique in this process. */
export function newTag(): string {
  tags += 1;
  return `${process.pid.toString(36)}${tags.toString(36)}`.padStart(12, '0');
}

/** A claim of a limiter: 10 units an hour by default, on a key of its own. */
export function claim({ policy = tenAnHour, tag = newTag(), ...options }: ClaimOptions = {}): Claim {
  const tier = options.tier ?? 'hour';
  const made = 'numbers' in policy ? policy : definePolicy(policy);
  const { charge = 'admitted', lease, onStoreFailure = 'local', takesAll = false, localPolicy, ...others } = options;
  return {
    tier,
    key: `rl:{${tag}}:${tier}:${made.dimensions.replaceAll(/\W/g, '').slice(0, 5)}`,
    cost: 1,
    shadow: false,
    record: undefined,
    terms: { charge, lease, onStoreFailure, takesAll, localPolicyOf: (each) => localPolicy ?? each },
    ...others,
    policy: made,
  };
}

const tenAnHour = definePolicy({ algorithm: 'fixed-window', limit: 10, window: '1h' });

/** Every algorithm and form of state, with `limit` units in a window of about an hour. */
export function everyPolicy(limit: number): [name: string, policy: PolicyOptions][] {
  const window = hourClearOfEdges();
  return [
    ['fixed-window', { algorithm: 'fixed-window', limit, window }],
    ['fixed-window by the clock', { algorithm: 'fixed-window', limit, window, anchor: 'clock' }],
    ['fixed-window of a year', { algorithm: 'fixed-window', limit, period: 'year', startsOn: halfAYearAway() }],
    ['sliding-window', { limit, window }],
    ['sliding-window of 10 slots', { limit, window, precision: 10 }],
    ['sliding-window, strict', { limit, window, strict: true }],
    ['sliding-window-log', { algorithm: 'sliding-window-log', limit, window }],
    ['token-bucket', { algorithm: 'token-bucket', limit: 60, window, burst: limit }],
    ['token-bucket with rests', { algorithm: 'token-bucket', limit: 59, window: window + 1, burst: limit }],
    ['leaky-bucket', { algorithm: 'leaky-bucket', limit: 60, window, queue: limit - 1 }],
    [
      'multi-window',
      {
        algorithm: 'multi-window',
        windows: [
          { limit: 10 * limit, window },
          { limit, window: window / 2 },
        ],
      },
    ],
  ];
}

/** About an hour in milliseconds, without an edge of it or of its half within a minute. */
function hourClearOfEdges(): number {
  const hours = [3_600_000, 3_540_000, 3_660_000];
  return hours.find((hour) => hour / 2 - (Date.now() % (hour / 2)) > 60_000)!;
}

/** The first day of a month, so that no period ends within a test. */
function halfAYearAway(): MonthAndDay {
  const month = ((new Date().getUTCMonth() + 6) % 12) + 1;
  return `${String(month).padStart(2, '0')}-01` as MonthAndDay;
}
