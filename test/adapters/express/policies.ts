import type { GateTier } from '@sluice/core';
import type { Request } from 'express';

/** Units that each policy holds. */
export const HELD = 5;

/** Every algorithm, as tiers of an hour that hold five units; none comes back while a test runs. */
export const policies: readonly [name: string, tier: GateTier<Request>][] = [
  ['fixed-window', { name: 'hour', algorithm: 'fixed-window', limit: HELD, window: '1h' }],
  ['sliding-window', { name: 'hour', algorithm: 'sliding-window', limit: HELD, window: '1h' }],
  ['sliding-window-log', { name: 'hour', algorithm: 'sliding-window-log', limit: HELD, window: '1h' }],
  ['token-bucket', { name: 'hour', algorithm: 'token-bucket', limit: HELD, window: '1h' }],
  ['leaky-bucket', { name: 'hour', algorithm: 'leaky-bucket', limit: HELD, window: '1h' }],
  [
    'multi-window',
    {
      name: 'hour',
      algorithm: 'multi-window',
      windows: [
        { limit: HELD, window: '1h' },
        { limit: 50, window: '3h' },
      ],
    },
  ],
];
