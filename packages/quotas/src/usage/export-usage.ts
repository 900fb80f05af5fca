import { randomBytes } from 'node:crypto';
import {
  ANY,
  type Duration,
  type DurationRange,
  OptionReader,
  type OptionRows,
  usageExports,
  type Store,
  type UsageExportStatus,
  type UsageLedger,
} from '@sluice/core/internal';
import { ExportPass } from './export-pass.js';
import { ExportScope } from './export-scope.js';
import { messageOf } from './message-of.js';
import { WaitingTimes } from './waiting-times.js';
import { usageLedgerOf } from './usage-ledgers.js';
import type { UsageSink } from './usage-row.js';

export interface UsageExportOptions {
  /** Takes rows of hours that are over, up to 500 at a time. Rows come again after a failure, and when an hour changes. */
  sink: UsageSink;
  /**
   * The names of the tiers, of limiters that exist.
   *
   * @default all that have counted usage, also those that come later, and those that no limiter has any more
   */
  tiers?: readonly string[];
  /**
   * Which Redis the usage is of, where several have usage of one customer: a region, for example. It is a part of the `id` of
   * each row. @default none
   */
  source?: string;
  /**
   * How often all processes together export, from 1 s to 1 day. A process begins within a minute of its start.
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

/** An export that runs until it is closed. */
export interface UsageExport {
  /** Runs now, and resolves when all due rows were given to the sink, or another process exports them. */
  run(): Promise<UsageExportStatus>;
  status(): UsageExportStatus;
  /** Ends it after the batch in flight. After 5 s the signal of the sink aborts, and the rows of the batch stay due. */
  close(): Promise<void>;
}

const EVERY = { range: '1 s to 1 day', min: 1e6, max: 8.64e10, example: "3600000 or '1h'" } as const;
const GRACE: DurationRange = { range: '1 ms to 1 day', max: 8.64e10, example: "300000 or '5m'" };

export const EXPORT_ROWS = {
  store: {
    is: (store) => usageLedgerOf(Object(store) as Store) !== undefined,
    words: 'memoryStore() or redisStore(…)',
  },
  sink: { is: 'function', words: 'a function of rows, such as (rows) => billing.send(rows)', required: true },
  tiers: ANY,
  source: { is: /^\S{1,64}$/, words: "a text of 1 to 64 characters without spaces, such as 'eu'" },
  every: { milliseconds: EVERY, otherwise: '1h' },
  grace: { milliseconds: GRACE, otherwise: '5m' },
} as const satisfies OptionRows;

/** After a failure, and while another process exports. */
const RETRY_MS = 60_000;
/** A process that ends waits so long for its sink. */
const CLOSE_MS = 5_000;

/**
 * Gives the usage of each hour to a sink, when the hour is over: absolute numbers, each with an `id`, so that a row which comes
 * again replaces the one before. One process of all exports at a time.
 *
 * @param store that limiters have. Each run exports what is counted under the prefixes of the limiters of the moment
 * @throws ConfigError OPTION_INVALID
 * @example
 * const usage = exportUsage(store, { sink: (rows) => billing.send(rows) });
 * await usage.close();
 */
export function exportUsage(store: Store, options: UsageExportOptions): UsageExport {
  const given = { store, ...(Object(options) as object) };
  const reader = new OptionReader('exportUsage', given, EXPORT_ROWS);
  const { every, grace } = reader.read(EXPORT_ROWS);
  const scope = new ExportScope(store, reader);
  const { sink, source } = options;
  return new RunningExport(store, usageLedgerOf(store)!, { scope, sink, source, every, grace });
}

interface ReadOptions {
  readonly scope: ExportScope;
  readonly sink: UsageSink;
  readonly source: string | undefined;
  /** In milliseconds. */
  readonly every: number;
  readonly grace: number;
}

class RunningExport implements UsageExport {
  readonly #ledger: UsageLedger;
  readonly #options: ReadOptions;
  readonly #holder = randomBytes(12).toString('base64url');
  readonly #hide: () => void;
  readonly #waiting = new WaitingTimes();
  readonly #end = new AbortController();
  #rows = 0;
  #problem: string | undefined;
  /** A run that a caller waits for, and one of the timer. */
  #called: Promise<UsageExportStatus> | undefined;
  #timed: Promise<unknown> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  /** Runs in a row whose only problem were rows that the sink has kept. */
  #keptRuns = 0;

  constructor(store: Store, ledger: UsageLedger, options: ReadOptions) {
    this.#ledger = ledger;
    this.#options = options;
    this.#hide = usageExports.add(store, () => this.status());
    // Soon, because a process may end within an hour; and not together with those that begin with it.
    this.#schedule(Math.random() * Math.min(options.every, RETRY_MS));
  }

  status(): UsageExportStatus {
    return { age: this.#waiting.longest(), rows: this.#rows, problem: this.#problem };
  }

  run(): Promise<UsageExportStatus> {
    // A run of the timer leaves out what another process has exported since.
    this.#called ??= Promise.resolve(this.#timed)
      .then(() => this.#runAll(0))
      .finally(() => (this.#called = undefined));
    return this.#called;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#hide();
    clearTimeout(this.#timer);
    const deadline = setTimeout(() => this.#end.abort(), CLOSE_MS);
    await this.#timed;
    await this.#called;
    clearTimeout(deadline);
  }

  #schedule(delay: number): void {
    clearTimeout(this.#timer);
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => {
      if (this.#called === undefined)
        this.#timed = this.#runAll(this.#options.every).finally(() => (this.#timed = undefined));
    }, delay).unref();
  }

  /** @param youngest milliseconds: leaves out a prefix whose last export is younger */
  async #runAll(youngest: number): Promise<UsageExportStatus> {
    const { scope, every } = this.#options;
    this.#problem = undefined;
    let [age, isRefused, hasFailed] = [0, false, false];
    for (const prefix of scope.prefixes()) {
      const pass = new ExportPass(this.#ledger, {
        ...this.#options,
        prefix,
        holder: this.#holder,
        signal: this.#end.signal,
        isClosed: () => this.#isClosed,
      });
      try {
        await pass.run(youngest);
      } catch (error) {
        pass.problem = messageOf(error);
        pass.hasKept = false;
      }
      this.#waiting.learn(prefix, pass);
      this.#rows += pass.rows;
      this.#problem ??= pass.problem;
      age = Math.max(age, pass.age);
      isRefused ||= pass.isRefused;
      hasFailed ||= pass.problem !== undefined && !pass.hasKept;
    }
    this.#keptRuns = this.#problem === undefined || hasFailed ? 0 : this.#keptRuns + 1;
    const isAgain = this.#problem !== undefined || isRefused || age === Infinity;
    // A row may be kept for weeks, as that of a customer who has not signed up, and other rows wait for no run of it.
    const retry = RETRY_MS * 2 ** Math.max(0, this.#keptRuns - 1);
    this.#schedule(isAgain ? Math.min(every, retry) : Math.max(EVERY.min / 1e3, every - age));
    return this.status();
  }
}
