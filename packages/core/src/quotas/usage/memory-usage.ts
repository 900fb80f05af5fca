import type { Receipt } from '../../model/receipt.js';
import { hourOf, KEPT_HOURS } from '../../model/usage.js';
import type {
  ExportLock,
  HourUnits,
  LockChange,
  MarkedUnits,
  UsageLedger,
  UsageReading,
  WatchedStore,
} from '../../stores/usage-ledger.js';
import { ExportLocks } from './export-locks.js';

type Hours = Map<number, HourUnits>;

/** The usage of a store in memory. Its keys are bounded: the one that was used least recently leaves. */
export class MemoryUsage implements UsageLedger {
  readonly #store: WatchedStore;
  /** The one that was used least recently first. */
  readonly #hours = new Map<string, Hours>();
  readonly #locks = new ExportLocks();

  constructor(store: WatchedStore) {
    this.#store = store;
    store.watchRefunds((receipts) => this.#count(receipts, -1));
  }

  count(receipts: readonly Receipt[]): void {
    this.#count(receipts, 1);
  }

  read(keys: readonly string[]): UsageReading {
    const now = this.#store.now() / 1e3;
    return { now, hours: keys.map((key) => this.#hours.get(key) ?? new Map<number, HourUnits>()) };
  }

  async *keys(begin: string, end: string): AsyncGenerator<readonly string[]> {
    yield [...this.#hours.keys()].filter((key) => key.startsWith(begin) && key.endsWith(end));
  }

  mark(marked: readonly MarkedUnits[]): void {
    for (const { key, hour, units, before } of marked) {
      const known = this.#hours.get(key)?.get(hour);
      if (known?.open === undefined || known.exported !== before) continue;
      const open = known.open === units ? undefined : known.open - units;
      this.#hours.get(key)!.set(hour, { open, exported: before + units });
    }
  }

  lock(prefix: string, change: LockChange): ExportLock {
    return this.#locks.change(prefix, change, this.#store.now() / 1e3);
  }

  #count(receipts: readonly Receipt[], sign: 1 | -1): void {
    for (const { key, policy, at, units } of receipts) {
      if (policy.usage) this.#add(key, hourOf(at * policy.tick), sign * units);
    }
  }

  #add(key: string, hour: number, units: number): void {
    const oldest = hourOf(this.#store.now()) - KEPT_HOURS;
    if (hour <= oldest) return;
    const hours = this.#hours.get(key) ?? new Map<number, HourUnits>();
    const known = hours.get(hour);
    if (known === undefined) for (const each of hours.keys()) if (each <= oldest) hours.delete(each);
    hours.set(hour, { open: (known?.open ?? 0) + units, exported: known?.exported ?? 0 });
    this.#hours.delete(key);
    this.#hours.set(key, hours);
    if (this.#hours.size > this.#store.maxKeys) this.#hours.delete(this.#hours.keys().next().value!);
  }
}
