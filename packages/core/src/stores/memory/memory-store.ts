// memory/ is the store of a single process: a table of keys with a bounded size. Claims enter, and are decided by the
// kernels of their algorithms. It imports what stores share, and no other store.
import type { Claim } from '../../model/claim.js';
import type { ActValues, KeyAct } from '../../model/key-act.js';
import type { Receipt } from '../../model/receipt.js';
import { checkObject, OptionReader } from '../../options/option-reader.js';
import { FUNCTION, type OptionRows } from '../../options/option-row.js';
import { show } from '../../options/show.js';
import type { CountingStore, StateKey } from '../store.js';
import type { Answer } from '../../model/answer.js';
import { toMicroseconds, type RateStore } from '../decided-rates.js';
import { processClock } from './process-clock.js';
import { TableStore } from './table-store.js';

export interface MemoryStoreOptions {
  /**
   * Keys in memory at most, 16 to 2^24. Tiers of one key function that limit rates count side by side: a client is one key
   * of up to four of them. A key takes some 60 bytes and its own text, more with a state of more than two numbers. A new key takes the place of an expired one, else of one with much of its budget left. A key that is being
   * denied stays.
   *
   * @default 100_000
   */
  maxKeys?: number;
  /**
   * Returns the time in milliseconds since 1970, with fractions down to a microsecond.
   *
   * @default the wall clock of the process, whose steps of more than a second it follows within a second; between them it
   * counts by `process.hrtime()`
   */
  clock?: () => number;
}

export const MEMORY_ROWS = {
  maxKeys: { integer: [16, 2 ** 24], otherwise: 100_000 },
  clock: FUNCTION,
} as const satisfies OptionRows;

/** A store in this process. It answers synchronously. */
export interface MemoryStore extends CountingStore {
  /** Keys in memory now. */
  readonly size: number;
  consume(group: readonly Claim[]): Answer;
  peek(group: readonly Claim[]): Answer;
  refund(receipts: readonly Receipt[]): number;
  renew(receipts: readonly Receipt[]): readonly number[];
  act(owner: StateKey, act: KeyAct): ActValues;
  keys(begin: string, end: string): AsyncIterable<readonly string[]>;
  reset(keys: readonly string[]): void;
  recorded(key: string): readonly string[];
  close(): void;
}

/**
 * Stores state in memory: for one process, and for the time of an outage of Redis.
 *
 * @example
 * const limiter = createLimiter({ store: memoryStore({ maxKeys: 10_000 }), name: 'api', limit: 100, window: '1m', key });
 *
 * @throws ConfigError OPTION_INVALID, OPTION_UNKNOWN
 */
export function memoryStore(options: MemoryStoreOptions = {}): MemoryStore {
  checkObject('memoryStore', options);
  const reader = new OptionReader('memoryStore', options, MEMORY_ROWS);
  const { maxKeys } = reader.read(MEMORY_ROWS);
  const { clock = processClock } = options;
  const time: unknown = clock();
  if (typeof time !== 'number' || !Number.isSafeInteger(toMicroseconds(time))) {
    throw reader.fail('OPTION_INVALID', 'clock', `must return milliseconds since 1970 and returned ${show(time)}`);
  }
  return new TableStore(maxKeys, clock);
}

/** A memory store as a limiter uses it. */
export interface DecidingStore extends MemoryStore, RateStore {
  /** Like `consume`, with an answer that may make its receipts when they are read. */
  decide(group: readonly Claim[]): Answer;
}
