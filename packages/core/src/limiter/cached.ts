import type { MaybePromise } from '../async/maybe-promise.js';
import { BoundedCache } from '../cache/bounded-cache.js';
import { warn } from '../events/warning.js';
import type { Duration } from '../model/duration.js';
import { readOptions } from '../options/option-reader.js';
import type { OptionRows } from '../options/option-row.js';
import { kindOfError } from '../options/show.js';

const SECOND = 1e6;
const DAY = 24 * 60 * 60 * SECOND;
const AGES = { range: '1 s to 30 days', min: SECOND, max: 30 * DAY, example: "'1m'" };
const STALE = { range: '0 to 30 days', min: 0, max: 30 * DAY, example: "'1h'" };
const WAITS = { range: '1 ms to 30 s', max: 30 * SECOND, example: "'200ms'" };
export const CACHED_ROWS = {
  load: { is: 'function', words: 'a function of the key', required: true },
  for: { milliseconds: AGES, otherwise: '1m' },
  stale: { milliseconds: STALE, otherwise: '1h' },
  timeout: { milliseconds: WAITS, otherwise: '200ms' },
  otherwise: { words: 'what a request gets while the source does not answer', required: true },
} as const satisfies OptionRows;
/** Keys that have an answer. A value of a plan or a limit is small, and an older half is dropped at this number. */
const MAX_KEYS = 100_000;
/** The milliseconds during which a key whose query has failed is not queried again. */
const REST_MS = 1_000;
/** How long a query may last before another one is begun: a driver that has lost its connection may never answer. */
const LOST_MS = 30_000;

/** How `cached` remembers answers. */
export interface CachedOptions<Value> {
  /**
   * How long an answer is used without asking again, 1 s to 30 days.
   *
   * @default '1m'
   */
  for?: Duration;
  /**
   * How much longer an old answer is used while a new one is on its way, or while the source fails, 0 to 30 days.
   *
   * @default '1h'
   */
  stale?: Duration;
  /**
   * The longest time that a request waits for an answer, 1 ms to 30 s. The answer is stored even if it comes later.
   *
   * @default '200ms'
   */
  timeout?: Duration;
  /** What a request gets when there is no answer in time: choose a limit that you can bear, such as that of the free plan. */
  otherwise: Value;
}

/**
 * Remembers what a database says of a key, such as the plan or the limit of a customer. All requests of a process that
 * ask for a key at the same time share one query, an answer that is known costs no promise, and a database that is slow
 * or away delays no request beyond `timeout`.
 *
 * @param load asks the source
 * @returns a function of the key, for the functions `limit`, `tiers` and `cost`
 * @throws ConfigError OPTION_INVALID for an option out of its range, and for a missing `otherwise`
 * @example
 * const limitOf = cached((id: string) => database.limitOf(id), { for: '1m', otherwise: 100 });
 * rateLimit({ key: by('user', ({ user }) => user.id), limit: ({ user }) => limitOf(user.id), window: '1m' });
 */
export function cached<Key extends string | number, Value>(
  load: (key: Key) => MaybePromise<Value>,
  options: CachedOptions<Value>,
): (key: Key) => MaybePromise<Value> {
  const { for: fresh, stale, timeout } = readOptions('cached', { ...options, load }, CACHED_ROWS);
  const source = new CachedSource(load, { fresh, stale: fresh + stale, timeout, otherwise: options.otherwise });
  return (key) => source.get(key);
}

/** In milliseconds. */
interface Ages<Value> {
  readonly fresh: number;
  readonly stale: number;
  readonly timeout: number;
  readonly otherwise: Value;
}

/** Times are those of `performance.now()`. */
interface Entry<Value> {
  /** Undefined before the first answer. */
  answer?: { readonly value: Value; readonly at: number; readonly askedAt: number };
  query?: Query | undefined;
  /** When the source may be asked again after a failure. */
  restsUntil: number;
}

/** A query that is on its way. One timer is for all requests that wait for it. */
class Query {
  readonly since: number;
  /** True for an answer in time, false for a failure or a late answer. */
  readonly inTime: Promise<boolean>;
  isLate = false;

  /** @param hasAnswer false if the query has failed */
  constructor(since: number, hasAnswer: Promise<boolean>, timeout: number) {
    this.since = since;
    let hasEnded = false;
    this.inTime = new Promise((resolve) => {
      const giveUp = () => {
        if (hasEnded) return;
        this.isLate = true;
        warnOf(`has not answered within ${timeout} ms`);
        resolve(false);
      };
      // An answer that has come while this process itself stood still is read first.
      const timer = setTimeout(() => setImmediate(giveUp), timeout);
      void hasAnswer.then((isAnswer) => {
        hasEnded = true;
        clearTimeout(timer);
        resolve(isAnswer);
      });
    });
  }
}

class CachedSource<Key extends string | number, Value> {
  readonly #load: (key: Key) => MaybePromise<Value>;
  readonly #ages: Ages<Value>;
  readonly #entries = new BoundedCache<Entry<Value>>(MAX_KEYS);

  constructor(load: (key: Key) => MaybePromise<Value>, ages: Ages<Value>) {
    this.#load = load;
    this.#ages = ages;
  }

  get(key: Key): MaybePromise<Value> {
    const now = performance.now();
    const entry = this.#entryOf(key);
    const { answer } = entry;
    if (answer !== undefined && now - answer.at < this.#ages.fresh) return answer.value;
    if (entry.query !== undefined && now - entry.query.since >= LOST_MS) entry.query = undefined;
    if (entry.query === undefined && now >= entry.restsUntil) this.#ask(key, entry, now);
    if (answer !== undefined && now - answer.at < this.#ages.stale) return answer.value;
    const { otherwise } = this.#ages;
    if (entry.query === undefined || entry.query.isLate) return otherwise;
    return entry.query.inTime.then((hasAnswer) => (hasAnswer ? entry.answer!.value : otherwise));
  }

  #entryOf(key: Key): Entry<Value> {
    // 1 and '1' are different keys.
    const text = `${typeof key}:${key}`;
    const known = this.#entries.get(text);
    if (known !== undefined) return known;
    const entry: Entry<Value> = { restsUntil: -Infinity };
    this.#entries.set(text, entry);
    return entry;
  }

  #ask(key: Key, entry: Entry<Value>, now: number): void {
    const hasAnswer = this.#loadInto(key, entry, now);
    const query = new Query(now, hasAnswer, this.#ages.timeout);
    entry.query = query;
    void hasAnswer.then(() => {
      if (entry.query === query) entry.query = undefined;
    });
  }

  async #loadInto(key: Key, entry: Entry<Value>, askedAt: number): Promise<boolean> {
    try {
      const value = await this.#load(key);
      // A query that was given up may answer after the one that followed it.
      const { answer } = entry;
      if (answer === undefined || answer.askedAt <= askedAt) entry.answer = { value, at: performance.now(), askedAt };
      return true;
    } catch (error) {
      entry.restsUntil = performance.now() + REST_MS;
      warnOf(`failed with ${kindOfError(error)}`);
      return false;
    }
  }
}

function warnOf(fault: string): void {
  warn('SLUICE_CACHED_FAILED', `cached: the function ${fault}: requests get an older answer, or that of otherwise`);
}
