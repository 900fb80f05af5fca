import {
  endOf,
  type ExportLock,
  hourOf,
  type MarkedUnits,
  type MaybePromise,
  type OpenUsagePage,
  type UsageLedger,
  usageOwner,
} from '@sluice/core/internal';
import type { ExportScope } from './export-scope.js';
import { keptIn, problemOf } from './kept-rows.js';
import { messageOf } from './message-of.js';
import { rowOf, type UsageRow, type UsageSink } from './usage-row.js';

/** A process that stops must not keep others from the export for long. A batch that takes longer loses the lock. */
const LOCK_MS = 60_000;
/** A pass keeps the lock while it looks for usage, which may take longer. */
const RENEW_MS = 20_000;
/** Nobody waits longer for a sink: a process that waits for ever would report nothing. */
const ANSWER_MS = 300_000;
/** Rows that the sink gets at a time. */
const BATCH = 500;

interface PassContext {
  readonly prefix: string;
  readonly holder: string;
  readonly scope: ExportScope;
  readonly source: string | undefined;
  readonly sink: UsageSink;
  /** In milliseconds. */
  readonly grace: number;
  /** Aborts when nobody waits for the sink any more. */
  readonly signal: AbortSignal;
  readonly isClosed: () => boolean;
}

interface Due {
  readonly row: UsageRow;
  readonly mark: MarkedUnits;
}

/** One export of all hours that are due, under a prefix. */
export class ExportPass {
  /** Rows that the sink has taken. */
  rows = 0;
  /** Why rows stay due. */
  problem: string | undefined;
  /** The sink has kept rows, and nothing else is a problem. */
  hasKept = false;
  /** Another process exports. */
  isRefused = false;
  /** When the oldest hour ends that stays open. Undefined where the pass has not looked at all of them. */
  openSince: number | undefined;
  /** By the clock of the store. */
  lock: ExportLock = { number: 0, completed: 0, now: 0 };
  readonly #ledger: UsageLedger;
  readonly #context: PassContext;
  #openSince = Infinity;
  /** Milliseconds of `performance.now()`. */
  #lockedAt = -Infinity;
  /** By the ids of their rows, because a scan may find usage twice. */
  #due = new Map<string, Due>();

  constructor(ledger: UsageLedger, context: PassContext) {
    this.#ledger = ledger;
    this.#context = context;
  }

  /** Milliseconds since the last export began that has left nothing due. Infinity: none has. */
  get age(): number {
    const { completed, now } = this.lock;
    return completed > 0 ? now - completed : Infinity;
  }

  /** @param youngest milliseconds: does nothing if an export is younger that has left nothing due */
  async run(youngest: number): Promise<void> {
    this.lock = await this.#lock(LOCK_MS);
    const { number, now } = this.lock;
    this.isRefused = number === 0;
    if (this.isRefused) return;
    let completed = 0;
    try {
      if (this.age >= youngest && (await this.#exportAll())) {
        // Of hours that begin later no unit waits before this one has ended.
        this.openSince = Math.min(this.#openSince, endOf(hourOf(now * 1e3)));
        if (this.problem === undefined) completed = now;
      }
    } finally {
      this.lock = { ...(await this.#lock(0, completed)), number };
    }
  }

  #lock(milliseconds: number, completed = 0): MaybePromise<ExportLock> {
    const { prefix, holder, scope } = this.#context;
    this.#lockedAt = performance.now();
    return this.#ledger.lock(prefix, { holder, scope: scope.text, milliseconds, completed });
  }

  /** False if the pass has ended before it has looked at everything. */
  async #exportAll(): Promise<boolean> {
    for await (const page of this.#ledger.open(this.#context.prefix)) {
      const isLate = performance.now() - this.#lockedAt >= RENEW_MS;
      if (this.#context.isClosed() || (isLate && !(await this.#renew()))) return false;
      if (!(await this.#export(page))) return false;
    }
    return this.#send();
  }

  /** False if the pass ends here. */
  async #export({ now, usage }: OpenUsagePage): Promise<boolean> {
    const { scope, source, grace } = this.#context;
    for (const { key, label, hours } of usage) {
      const owner = usageOwner(key);
      if (owner === undefined || !scope.has(owner.tier)) continue;
      const { text, tier, partition, digest } = owner;
      for (const { hour, open, exported } of hours) {
        if (endOf(hour) + grace > now) {
          this.#keepOpen(endOf(hour));
          continue;
        }
        // A refund of a charge that the store has lost leaves less than nothing, which no bill has.
        const units = Math.max(0, open + exported);
        const row = rowOf(text, hour, { source, tier, partition, label, digest, units, revision: this.lock.number });
        this.#due.set(row.id, { row, mark: { key, hour, units: open, before: exported } });
        if (this.#due.size >= BATCH && !(await this.#send())) return false;
      }
    }
    return true;
  }

  #keepOpen(since: number): void {
    this.#openSince = Math.min(this.#openSince, since);
  }

  /** Gives the due rows to the sink, and marks them. False if another process has taken the lock, or this one closes. */
  async #send(): Promise<boolean> {
    const due = [...this.#due.values()];
    this.#due.clear();
    if (this.#context.isClosed()) return false;
    if (due.length === 0) return true;
    if (!(await this.#renew())) return false;
    let kept: ReadonlyMap<string, string>;
    try {
      kept = keptIn(await this.#give(due.map(({ row }) => row)));
    } catch (error) {
      // The rows stay due. The next ones may have more luck.
      this.problem = `the sink has failed: ${messageOf(error)}`;
      this.hasKept = false;
      for (const { row } of due) this.#keepOpen(row.to);
      return true;
    }
    const taken = due.filter(({ row }) => !kept.has(row.id));
    const left = due.filter(({ row }) => kept.has(row.id));
    for (const { row } of left) this.#keepOpen(row.to);
    if (left.length > 0) {
      this.hasKept = this.problem === undefined || this.hasKept;
      this.problem ??= problemOf(left.map(({ row }) => ({ ...row, reason: kept.get(row.id)! })));
    }
    this.rows += taken.length;
    if (taken.length > 0) await this.#ledger.mark(taken.map(({ mark }) => mark));
    return true;
  }

  /** False if another process has taken the lock. */
  async #renew(): Promise<boolean> {
    const { number } = await this.#lock(LOCK_MS);
    if (number === this.lock.number) return true;
    this.problem = 'another process has taken the lock, because a batch took longer than a minute';
    return false;
  }

  /** Rejects if the sink does, or has not answered when nobody waits for it any more. */
  async #give(rows: readonly UsageRow[]): Promise<unknown> {
    const { sink, signal: closing } = this.#context;
    const end = new AbortController();
    let giveUp!: (reason: string) => void;
    const ended = new Promise<never>((_, reject) => {
      giveUp = (reason) => {
        end.abort();
        reject(new Error(reason));
      };
    });
    const onClose = () => giveUp('it has not answered when the export was closed');
    closing.addEventListener('abort', onClose);
    const alarm = setTimeout(() => giveUp('it has not answered within 5 minutes'), ANSWER_MS).unref();
    try {
      return await Promise.race([ended, (async () => sink(rows, { signal: end.signal }))()]);
    } finally {
      closing.removeEventListener('abort', onClose);
      clearTimeout(alarm);
    }
  }
}
