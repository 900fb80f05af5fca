import { randomBytes } from 'node:crypto';
import type { Duration } from '../model/duration.js';
import type { DurationRange } from '../options/duration-rule.js';
import { OptionReader } from '../options/option-reader.js';
import { countsUsage, type Store, type UsageStore } from '../stores/store.js';
import { ExportPass } from './export-pass.js';
import { ExportedTiers } from './exported-tiers.js';
import type { UsageSink } from './usage-row.js';

export interface UsageExportOptions {
  /** Takes rows of hours that are over, up to 500 at a time. Rows come again after a failure, and when an hour changes. */
  sink: UsageSink;
  /**
   * The names of the tiers.
   *
   * @default all with `usage` of the limiters that exist
   */
  tiers?: readonly string[];
  /**
   * How often an export runs, from 1 s to 1 day.
   *
   * @default 1 h
   */
  every?: Duration;
  /**
   * How long an hour stays open for settlements, up to 1 day. Later ones export it again.
   *
   * @default 5 min
   */
  grace?: Duration;
}

export interface UsageExportStatus {
  /** When all hours that were due were last exported, here or by another process. In milliseconds since 1970. */
  readonly completedAt: number;
  /** Rows that the sink has taken in this process. */
  readonly rows: number;
  /** Why the last run has left rows due. Undefined if it has left none. */
  readonly problem: string | undefined;
}

/** An export that runs until it is closed. */
export interface UsageExport {
  /** Runs now, and resolves when all due rows were given to the sink, or another process exports them. */
  run(): Promise<UsageExportStatus>;
  status(): UsageExportStatus;
  /** Ends it, after the batch in flight. */
  close(): Promise<void>;
}

const EVERY: DurationRange = { range: '1 s to 1 day', max: 8.64e10, example: "3600000 or '1h'" };
const GRACE: DurationRange = { range: '1 ms to 1 day', max: 8.64e10, example: "300000 or '5m'" };
/** After a failure. */
const RETRY_MS = 60_000;

/**
 * Gives the usage of each hour to a sink, when the hour is over: absolute numbers, each with an `id`, so that a row which comes
 * again replaces the one before. One process of all exports at a time.
 *
 * @param store of limiters that exist
 * @throws ConfigError OPTION_INVALID
 * @example
 * const usage = exportUsage(store, { sink: (rows) => billing.send(rows) });
 * await usage.close();
 */
export function exportUsage(store: Store, options: UsageExportOptions): UsageExport {
  const given = { store, ...(Object(options) as object) };
  const reader = new OptionReader('exportUsage', given, ['store', 'sink', 'tiers', 'every', 'grace']);
  if (!countsUsage(Object(store) as Store)) {
    throw reader.fail('OPTION_INVALID', 'store', 'must be memoryStore() or redisStore(…)');
  }
  if (typeof reader.value('sink') !== 'function') {
    throw reader.fail('OPTION_INVALID', 'sink', 'must be a function of rows, such as (rows) => billing.send(rows)');
  }
  const every = reader.milliseconds('every', '1h', EVERY);
  if (every < 1_000) throw reader.fail('OPTION_INVALID', 'every', `must be ${EVERY.range}`);
  return new RunningExport(store as UsageStore, {
    tiers: new ExportedTiers(store, reader),
    sink: options.sink,
    every,
    grace: reader.milliseconds('grace', '5m', GRACE),
  });
}

interface ReadOptions {
  readonly tiers: ExportedTiers;
  readonly sink: UsageSink;
  /** In milliseconds. */
  readonly every: number;
  readonly grace: number;
}

class RunningExport implements UsageExport {
  readonly #store: UsageStore;
  readonly #options: ReadOptions;
  readonly #holder = randomBytes(12).toString('base64url');
  #completedAt = Date.now();
  #rows = 0;
  #problem: string | undefined;
  #running: Promise<UsageExportStatus> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(store: UsageStore, options: ReadOptions) {
    this.#store = store;
    this.#options = options;
    this.#schedule();
  }

  status(): UsageExportStatus {
    return { completedAt: this.#completedAt, rows: this.#rows, problem: this.#problem };
  }

  run(): Promise<UsageExportStatus> {
    this.#running ??= this.#runAll().finally(() => {
      this.#running = undefined;
      this.#schedule();
    });
    return this.#running;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    if (this.#isClosed) return;
    const { every } = this.#options;
    const delay = this.#problem === undefined ? every : Math.min(every, RETRY_MS);
    this.#timer = setTimeout(() => void this.run(), delay).unref();
  }

  async #runAll(): Promise<UsageExportStatus> {
    this.#problem = undefined;
    const startedAt = Date.now();
    for (const prefix of this.#options.tiers.prefixes()) {
      const pass = new ExportPass(this.#store, {
        ...this.#options,
        prefix,
        holder: this.#holder,
        isClosed: () => this.#isClosed,
      });
      try {
        await pass.run();
      } catch (error) {
        this.#problem = messageOf(error);
      }
      this.#rows += pass.rows;
      this.#problem ??= pass.problem;
    }
    if (this.#problem === undefined && !this.#isClosed) this.#completedAt = startedAt;
    return this.status();
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
