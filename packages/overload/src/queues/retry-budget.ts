import {
  type Duration,
  type DurationRange,
  FUNCTION,
  type OptionRows,
  readOptions,
  sleep,
} from '@sluice/core/internal';
import { isOverloadError } from './overload-error.js';
import { SpentRetries } from './spent-retries.js';

export interface RetryOptions {
  /**
   * Calls beyond first tries, as a part of them, from 0.01 to 1.
   *
   * @default 0.1: at most a tenth more
   */
  budget?: number;
  /**
   * Tries of a call, from 2 to 10.
   *
   * @default 3
   */
  tries?: number;
  /**
   * The pause before the second try, which doubles with each other one, up to a minute. A pause is of half of it to all of it, at
   * random.
   *
   * @default '100ms'
   */
  pause?: Duration;
  /** Is a failed call tried again? @default every error but an abort is */
  retryable?: (error: unknown) => boolean;
}

/** Tries that are left for calls to something that fails. */
export interface RetryBudget {
  /** Second and later tries that may begin at the moment. */
  readonly left: number;
  /**
   * Calls, and calls again while the budget allows.
   *
   * @param call gets the number of its try, which begins with 1
   * @param signal ends the pause before a try
   * @throws what the last call has thrown
   * @example await retries.run(() => run(limiter, 'partner', () => fetch(url)));
   */
  run<T>(call: (attempt: number) => PromiseLike<T> | T, options?: { readonly signal?: AbortSignal }): Promise<T>;
}

const PAUSE: DurationRange = { range: '1 ms to a minute', max: 6e7, example: "'100ms'", isShort: true };
/** The longest pause before a try, in milliseconds. */
const LONGEST_PAUSE = 60_000;

export const RETRY_ROWS = {
  budget: {
    is: (part) => typeof part === 'number' && part >= 0.01 && part <= 1,
    words: 'a number from 0.01 to 1, such as 0.1 for a tenth more calls',
    otherwise: 0.1,
  },
  tries: { integer: [2, 10], otherwise: 3 },
  pause: { milliseconds: PAUSE, otherwise: '100ms' },
  retryable: FUNCTION,
} as const satisfies OptionRows;

/**
 * Tries failed calls again, and at most a tenth more calls than there are first tries: what fails under load is not buried under
 * retries. Of a process, and for one upstream.
 *
 * @throws ConfigError OPTION_INVALID
 * @example
 * const retries = retryBudget({ budget: 0.1 });
 * const ran = await retries.run(() => run(partner, 'all', (signal) => fetch(url, { signal })));
 */
export function retryBudget(options: RetryOptions = {}): RetryBudget {
  const { budget, tries, pause } = readOptions('retryBudget', options, RETRY_ROWS);
  const { retryable = isRetryable } = options;
  const part = budget as number;
  const spent = new SpentRetries(part);
  return Object.freeze({
    get left() {
      return spent.left(performance.now());
    },
    async run(call, { signal } = {}) {
      spent.countFirst(performance.now());
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await call(attempt);
        } catch (error) {
          const isOver = attempt === tries || signal?.aborted || !retryable(error);
          if (isOver || !spent.take(performance.now())) throw error;
          if (!(await slept(pauseBefore(attempt, pause), signal))) throw error;
        }
      }
    },
  } satisfies RetryBudget);
}

/** Who has left does not want another try. What is overloaded does not either. */
function isRetryable(error: unknown): boolean {
  const { name } = Object(error) as Partial<Error>;
  return name !== 'AbortError' && name !== 'TimeoutError' && !isOverloadError(error);
}

/** Callers that failed together do not return together. */
function pauseBefore(attempt: number, first: number): number {
  const pause = Math.min(LONGEST_PAUSE, first * 2 ** (attempt - 1));
  return pause * (1 - Math.random() / 2);
}

/** @returns false if the signal has ended the pause */
function slept(milliseconds: number, signal: AbortSignal | undefined): Promise<boolean> {
  return sleep(milliseconds, (leave) => {
    signal?.addEventListener('abort', leave, { once: true });
    return () => signal?.removeEventListener('abort', leave);
  });
}
