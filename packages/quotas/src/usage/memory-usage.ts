import {
  type ExportLock,
  hourOf,
  isCounted,
  KEPT_HOURS,
  type LockChange,
  type MarkedUnits,
  type OpenHour,
  type OpenUsage,
  type OpenUsagePage,
  type Receipt,
  usageKey,
  type UsageLedger,
  type WatchedStore,
} from '@sluice/core/internal';
import { ExportLocks } from './export-locks.js';

/** Usage in a page. */
const PAGE = 100;

/** Units of an hour: `open` is undefined when an export has all. */
interface HourUnits {
  readonly open: number | undefined;
  readonly exported: number;
}

interface StoredUsage {
  label: string | undefined;
  readonly hours: Map<number, HourUnits>;
}

/** The usage of a store in memory. Its keys are bounded: the one that was used least recently leaves. */
export class MemoryUsage implements UsageLedger {
  readonly #store: WatchedStore;
  /** The one that was used least recently first. */
  readonly #usage = new Map<string, StoredUsage>();
  readonly #locks = new ExportLocks();

  constructor(store: WatchedStore) {
    this.#store = store;
    store.watchRefunds((receipts) => this.#count(receipts, -1));
  }

  count(receipts: readonly Receipt[], labels: ReadonlyMap<string, string> | undefined): void {
    this.#count(receipts, 1);
    for (const { key, tier } of labels === undefined ? [] : receipts) {
      const usage = this.#usage.get(usageKey(key));
      if (usage !== undefined) usage.label = labels!.get(tier) ?? usage.label;
    }
  }

  read(keys: readonly string[]): readonly ReadonlyMap<number, number>[] {
    const oldest = hourOf(this.#store.now()) - KEPT_HOURS;
    return keys.map((key) => {
      const hours = [...(this.#usage.get(usageKey(key))?.hours ?? [])].filter(([hour]) => hour > oldest);
      return new Map(hours.map(([hour, { open = 0, exported }]) => [hour, open + exported]));
    });
  }

  async *open(prefix: string): AsyncGenerator<OpenUsagePage> {
    const now = this.#store.now() / 1e3;
    let page: OpenUsage[] = [];
    // A charge while the sink works moves its key to the end, where it would be found again.
    const all = [...this.#usage];
    for (const [key, usage] of all) {
      const hours = key.startsWith(`${prefix}:`) ? openIn(usage) : [];
      if (hours.length > 0) page.push({ key, label: usage.label, hours });
      if (page.length < PAGE) continue;
      yield { now, usage: page };
      page = [];
    }
    if (page.length > 0) yield { now, usage: page };
  }

  mark(marked: readonly MarkedUnits[]): void {
    for (const { key, hour, units, before } of marked) {
      const known = this.#usage.get(key)?.hours.get(hour);
      if (known?.open === undefined || known.exported !== before) continue;
      const open = known.open === units ? undefined : known.open - units;
      this.#usage.get(key)!.hours.set(hour, { open, exported: before + units });
    }
  }

  lock(prefix: string, change: LockChange): ExportLock {
    return this.#locks.change(prefix, change, this.#store.now() / 1e3);
  }

  #count(receipts: readonly Receipt[], sign: 1 | -1): void {
    for (const { key, policy, at, units } of receipts) {
      if (isCounted(policy)) this.#add(usageKey(key), hourOf(at * policy.tick), sign * units);
    }
  }

  #add(key: string, hour: number, units: number): void {
    const oldest = hourOf(this.#store.now()) - KEPT_HOURS;
    if (hour <= oldest) return;
    const usage = this.#usage.get(key) ?? { label: undefined, hours: new Map<number, HourUnits>() };
    const { hours } = usage;
    const known = hours.get(hour);
    if (known === undefined) for (const each of hours.keys()) if (each <= oldest) hours.delete(each);
    hours.set(hour, { open: (known?.open ?? 0) + units, exported: known?.exported ?? 0 });
    this.#usage.delete(key);
    this.#usage.set(key, usage);
    if (this.#usage.size > this.#store.maxKeys) this.#usage.delete(this.#usage.keys().next().value!);
  }
}

function openIn({ hours }: StoredUsage): readonly OpenHour[] {
  return [...hours].flatMap(([hour, { open, exported }]) => (open === undefined ? [] : [{ hour, open, exported }]));
}
