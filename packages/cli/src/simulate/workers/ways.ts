// workers/ simulates workers that share one key and come back when they are denied. Limits and a number of workers
// enter, and a report or a picture leaves. It imports random/, charts, limits, terminal and failure.

/** What a denied worker knows when it chooses its wait, in milliseconds. */
export interface Told {
  /** As `retry-after-ms` says it. */
  readonly wait: number;
  /** As `Retry-After` says it, in whole seconds. */
  readonly seconds: number;
  /** How often it has been denied. */
  readonly denials: number;
  /** What it has waited before. 0 at first. */
  readonly before: number;
  /** The window of the limit. */
  readonly window: number;
}

/** How workers come back. */
export interface Way {
  readonly name: string;
  /** True for a limit that has a line. */
  readonly hasLine: boolean;
  /** In milliseconds. @param random from 0 to below 1 */
  readonly wait: (told: Told, random: () => number) => number;
}

/** The first wait of a backoff, and its longest. */
const [FIRST, LONGEST] = [1_000, 60_000];

const exact = ({ seconds }: Told) => seconds * 1e3;
const backoff = ({ denials }: Told) => Math.min(LONGEST, FIRST * 2 ** (denials - 1));

/**
 * Ways to come back. Full jitter and decorrelated jitter are those of
 * https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/.
 */
export const WAYS: readonly Way[] = [
  { name: 'your limits, by Retry-After', hasLine: false, wait: exact },
  {
    name: 'and a random part of a window, told by the server',
    hasLine: false,
    wait: (told, random) => exact(told) + random() * told.window,
  },
  {
    name: 'and a random fifth, added by the client',
    hasLine: false,
    wait: (told, random) => exact(told) * (1 + random() / 5),
  },
  { name: 'full jitter, without a look at the wait', hasLine: false, wait: (told, random) => random() * backoff(told) },
  {
    name: 'decorrelated jitter, without a look at the wait',
    hasLine: false,
    wait: ({ before }, random) => Math.min(LONGEST, FIRST + random() * (Math.max(FIRST, 3 * before) - FIRST)),
  },
  {
    name: 'full jitter above the wait',
    hasLine: false,
    wait: (told, random) => exact(told) + random() * backoff(told),
  },
  { name: 'a line, by Retry-After', hasLine: true, wait: exact },
  { name: 'a line, by retry-after-ms', hasLine: true, wait: ({ wait }) => wait },
];
