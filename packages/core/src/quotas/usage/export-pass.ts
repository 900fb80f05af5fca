import type { MaybePromise } from '../../async/maybe-promise.js';
import { HOUR_MS } from '../../model/usage.js';
import type { ExportLock, MarkedUnits, UsageLedger } from '../../stores/usage-ledger.js';
import type { ExportedTiers } from './exported-tiers.js';
import { rowOf, type UsageRow, type UsageSink } from './usage-row.js';

/** A process that stops must not keep others from the export for long. A batch that takes longer loses the lock. */
const LOCK_MS = 60_000;
/** Rows that the sink gets at a time. */
const BATCH = 500;
/** Keys that are read in a call. */
const KEYS = 100;

interface PassContext {
  readonly prefix: string;
  readonly holder: string;
  readonly scope: string;
  readonly tiers: ExportedTiers;
  readonly sink: UsageSink;
  /** In milliseconds. */
  readonly grace: number;
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
  /** Milliseconds since the last export began that has left nothing due. Infinity: none has. */
  age = Infinity;
  /** Another process exports. */
  isRefused = false;
  readonly #ledger: UsageLedger;
  readonly #context: PassContext;
  #revision = 0;
  /** By the ids of their rows, because a scan may find a key twice. */
  #due = new Map<string, Due>();

  constructor(ledger: UsageLedger, context: PassContext) {
    this.#ledger = ledger;
    this.#context = context;
  }

  /** @param youngest milliseconds: does nothing if an export is younger that has left nothing due */
  async run(youngest: number): Promise<void> {
    const lock = await this.#lock(LOCK_MS);
    this.#learn(lock);
    this.isRefused = lock.number === 0;
    if (this.isRefused) return;
    this.#revision = lock.number;
    let completed = 0;
    try {
      if (this.age >= youngest && (await this.#exportAll())) completed = lock.now;
    } finally {
      this.#learn(await this.#lock(0, completed));
    }
  }

  #learn({ completed, now }: ExportLock): void {
    this.age = completed > 0 ? now - completed : Infinity;
  }

  #lock(milliseconds: number, completed = 0): MaybePromise<ExportLock> {
    const { prefix, holder, scope } = this.#context;
    return this.#ledger.lock(prefix, { holder, scope, milliseconds, completed });
  }

  /** False if rows stay due. */
  async #exportAll(): Promise<boolean> {
    for await (const keys of this.#ledger.keys(`${this.#context.prefix}:`, '')) {
      for (let first = 0; first < keys.length; first += KEYS) {
        if (!(await this.#export(keys.slice(first, first + KEYS)))) return false;
      }
    }
    return (await this.#send()) && this.problem === undefined;
  }

  /** False if the pass ends here. */
  async #export(keys: readonly string[]): Promise<boolean> {
    const { tiers, prefix, grace } = this.#context;
    const found = keys.flatMap((key) => {
      const owner = tiers.find(prefix, key);
      return owner === undefined ? [] : [{ key, ...owner }];
    });
    if (found.length === 0) return true;
    const { now, hours } = await this.#ledger.read(found.map(({ key }) => key));
    for (const [index, { key, tier, digest }] of found.entries()) {
      for (const [hour, { open, exported }] of hours[index]!) {
        if (open === undefined || (hour + 1) * HOUR_MS + grace > now) continue;
        // A refund of a charge that the store has lost leaves less than nothing, which no bill has.
        const units = Math.max(0, open + exported);
        const row = rowOf(key, hour, { tier, digest, units, revision: this.#revision });
        this.#due.set(row.id, { row, mark: { key, hour, units: open, before: exported } });
        if (this.#due.size >= BATCH && !(await this.#send())) return false;
      }
    }
    return true;
  }

  /** Gives the due rows to the sink, and marks them. False if another process has taken the lock, or this one closes. */
  async #send(): Promise<boolean> {
    const due = [...this.#due.values()];
    this.#due.clear();
    if (this.#context.isClosed()) return false;
    if (due.length === 0) return true;
    const { number } = await this.#lock(LOCK_MS);
    if (number !== this.#revision) {
      this.problem = 'another process has taken the lock, because a batch took longer than a minute';
      return false;
    }
    try {
      await this.#context.sink(due.map(({ row }) => row));
    } catch (error) {
      // The rows stay due. The next ones may have more luck.
      this.problem = `the sink has failed: ${error instanceof Error ? error.message : String(error)}`;
      return true;
    }
    this.rows += due.length;
    await this.#ledger.mark(due.map(({ mark }) => mark));
    return true;
  }
}
