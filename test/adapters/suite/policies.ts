import type { GateTier, HttpRequest } from '@sluice/http';

/** Units that each policy holds. */
export const CAPACITY = 5;

const hour = { name: 'hour', limit: CAPACITY, window: '1h' } as const;

/** Every algorithm, as a tier of an hour, but for leaky-bucket, whose requests wait: `queues.ts` has it. No unit comes back while a test runs. */
export const policies: readonly [name: string, tier: GateTier<HttpRequest>][] = [
  ['fixed-window', { ...hour, algorithm: 'fixed-window' }],
  ['sliding-window', { ...hour, algorithm: 'sliding-window' }],
  ['sliding-window-log', { ...hour, algorithm: 'sliding-window-log' }],
  ['token-bucket', { ...hour, algorithm: 'token-bucket' }],
  [
    'multi-window',
    {
      name: 'hour',
      algorithm: 'multi-window',
      windows: [
        { limit: CAPACITY, window: '1h' },
        { limit: 50, window: '3h' },
      ],
    },
  ],
];

/** The cost in the header X-Cost. */
export const costOf = ({ headers }: HttpRequest): number => Number(headers?.['x-cost'] ?? 1);

export const costing = (cost: number) => ({ headers: { 'X-Cost': String(cost) } });
