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
  {
    name: 'fixed-window',
    title: 'fixed-window: limit 60, window 1m',
    policy: { algorithm: 'fixed-window', limit: 60, window: '1m' },
    windows: [{ ...minute, most: 120 }],
    burst: 60,
  },
  {
    name: 'sliding-window',
    title: 'sliding-window: limit 60, window 1m',
    policy: { algorithm: 'sliding-window', limit: 60, window: '1m' },
    windows: [{ ...minute, most: 119 }],
    burst: 60,
  },
  {
    name: 'sliding-window-strict',
    title: 'sliding-window, strict: limit 60, window 1m, precision 50',
    policy: { algorithm: 'sliding-window', limit: 60, window: '1m', strict: true },
    windows: [{ ...minute, most: 60 }],
    burst: 60,
  },
  {
    name: 'sliding-window-log',
    title: 'sliding-window-log: limit 60, window 1m',
    policy: { algorithm: 'sliding-window-log', limit: 60, window: '1m' },
    windows: [{ ...minute, most: 60 }],
    burst: 60,
  },
  {
    name: 'token-bucket',
    title: 'token-bucket: limit 60, window 1m, burst 20',
    policy: { algorithm: 'token-bucket', limit: 60, window: '1m', burst: 20 },
    windows: [{ ...minute, most: 80 }],
    burst: 20,
  },
  {
    name: 'leaky-bucket',
    title: 'leaky-bucket: limit 60, window 1m, queue 19, each request drawn when its delay is over',
    policy: { algorithm: 'leaky-bucket', limit: 60, window: '1m', queue: 19 },
    windows: [{ ...minute, most: 60 }],
    burst: 1,
  },
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
