import type { PolicyOptions } from '@sluice/core/internal';

/** Units that each sample holds. */
export const UNITS = 5;

/** Every algorithm, as policies of five units. No unit comes back while a test runs. */
export const SAMPLES: Readonly<Record<string, PolicyOptions>> = {
  'fixed-window': { algorithm: 'fixed-window', limit: UNITS, window: '1h' },
  'sliding-window': { limit: UNITS, window: '1h' },
  'sliding-window of 60 slots': { limit: UNITS, window: '1h', precision: 60 },
  'sliding-window, strict': { limit: UNITS, window: '1h', strict: true },
  'sliding-window-log': { algorithm: 'sliding-window-log', limit: UNITS, window: '1h' },
  'token-bucket': { algorithm: 'token-bucket', limit: 1, window: '1h', burst: UNITS },
  'token-bucket with a fractional interval': { algorithm: 'token-bucket', limit: 7, window: '1d', burst: UNITS },
  'leaky-bucket': { algorithm: 'leaky-bucket', limit: 1, window: '1h', queue: UNITS - 1 },
  'multi-window': {
    algorithm: 'multi-window',
    windows: [
      { limit: UNITS, window: '1h' },
      { limit: UNITS + 3, window: '3h' },
    ],
  },
};
