import type { TierPolicy } from '../../../packages/core/src/index.js';

/** The policy that a picture shows. */
export interface Subject {
  /** The name of the file. */
  readonly name: string;
  readonly title: string;
  readonly policy: TierPolicy<null>;
  /** The windows that the picture shows, each with its limit and the most requests that it can admit. */
  readonly windows: readonly { readonly window: number; readonly limit: number; readonly most: number }[];
  /** Units that a client can spend at once. */
  readonly burst: number;
}

const minute = { window: 60_000, limit: 60 };

export const subjects: readonly Subject[] = [
  perMinute('fixed-window', { algorithm: 'fixed-window' }, { most: 120 }),
  // Above 64, where slots are counted.
  {
    ...perMinute('sliding-window', { algorithm: 'sliding-window', limit: 65 }, { most: 129 }),
    title: 'sliding-window: limit 65, window 1m',
  },
  {
    ...perMinute('sliding-window', { algorithm: 'sliding-window', limit: 65, strict: true }, { most: 65 }),
    name: 'sliding-window-strict',
    title: 'sliding-window, strict: limit 65, window 1m, precision 50',
  },
  perMinute('sliding-window-log', { algorithm: 'sliding-window-log' }, { most: 60 }),
  perMinute('token-bucket', { algorithm: 'token-bucket', burst: 20 }, { most: 80, burst: 20, note: ', burst 20' }),
  perMinute(
    'leaky-bucket',
    { algorithm: 'leaky-bucket', queue: 19 },
    { most: 60, burst: 1, note: ', queue 19, each request drawn when its delay is over' },
  ),
  {
    name: 'multi-window',
    title: 'multi-window: limit 20 a window of 10s and 60 a window of 1m',
    policy: {
      algorithm: 'multi-window',
      windows: [
        { limit: 60, window: '1m' },
        { limit: 20, window: '10s' },
      ],
    },
    windows: [
      { ...minute, most: 119 },
      { window: 10_000, limit: 20, most: 39 },
    ],
    burst: 20,
  },
];

interface Shown {
  readonly most: number;
  readonly burst?: number;
  /** What the title adds to limit and window. */
  readonly note?: string;
}

/** A picture of 60 units a minute. */
function perMinute(name: string, options: object, { most, burst = 60, note = '' }: Shown): Subject {
  return {
    name,
    title: `${name}: limit 60, window 1m${note}`,
    policy: { limit: 60, window: '1m', ...options },
    windows: [{ ...minute, most }],
    burst,
  };
}
