import type { Duration, DurationRange, OptionRows } from '@sluice/core/internal';

export interface QueueOptions {
  /**
   * The wait for a place that is no overload, from 5 ms to 10 s.
   *
   * @default '200ms'
   */
  target?: Duration;
  /**
   * Acquisitions of `wait` that the pool is asked for together, from 1 to 10,000: take the size of the pool. The others wait in
   * the order of their priorities. A pool that is watched says itself how much room it has.
   *
   * @default 10
   */
  max?: number;
  /**
   * `'shadow'` refuses nothing, and publishes what it would refuse. `'off'` does nothing.
   *
   * @default 'enforce'
   */
  mode?: 'off' | 'shadow' | 'enforce';
}

const TARGET: DurationRange = { range: '5 ms to 10 s', min: 5e3, max: 1e7, example: "'200ms'", isShort: true };

export const QUEUE_ROWS = {
  name: {
    is: (name) => typeof name === 'string' && /^[\w.-]{1,64}$/.test(name),
    words: "a name of 1 to 64 letters, digits, '.', '_' or '-', such as 'database'",
    required: true,
  },
  target: { milliseconds: TARGET, otherwise: '200ms' },
  max: { integer: [1, 10_000], otherwise: 10 },
  mode: { oneOf: ['off', 'shadow', 'enforce'], otherwise: 'enforce' },
} as const satisfies OptionRows;

/** Options that were checked. */
export interface QueueSettings {
  readonly name: string;
  /** In milliseconds. */
  readonly target: number;
  readonly max: number;
  readonly mode: 'off' | 'shadow' | 'enforce';
}
