import type { Receipt } from '../../model/receipt.js';
import { hourOf, KEPT_HOURS } from '../../model/usage.js';
import type { HourUnits, MarkedUnits } from '../store.js';

type Hours = Map<number, HourUnits>;

/** The usage of keys by hours. The keys are bounded: the one that was used least recently leaves. */
export class UsageTable {
  readonly #maxKeys: number;
  /** The one that was used least recently first. */
  readonly #hours = new Map<string, Hours>();

  constructor(maxKeys: number) {
    this.#maxKeys = maxKeys;
  }

  /** @param sign 1 for charges, -1 for what is given back. @param now microseconds */
  count(receipts: readonly Receipt[], sign: 1 | -1, now: number): void {
    for (const { key, policy, at, units } of receipts) {
      if (policy.usage) this.#add(key, hourOf(at * policy.tick), { units: sign * units, now });
    }
  }

  of(key: string): ReadonlyMap<number, HourUnits> {
    return this.#hours.get(key) ?? new Map<number, HourUnits>();
  }

  keys(): readonly string[] {
    return [...this.#hours.keys()];
  }

  mark({ key, hour, units, before }: MarkedUnits): void {
    const known = this.#hours.get(key)?.get(hour);
    if (known?.exported !== before) return;
    this.#hours.get(key)!.set(hour, { open: known.open - units, exported: before + units });
  }

  #add(key: string, hour: number, { units, now }: { units: number; now: number }): void {
    const oldest = hourOf(now) - KEPT_HOURS;
    if (hour <= oldest) return;
    const hours = this.#hours.get(key) ?? new Map<number, HourUnits>();
    const known = hours.get(hour);
    if (known === undefined) for (const each of hours.keys()) if (each <= oldest) hours.delete(each);
    hours.set(hour, { open: (known?.open ?? 0) + units, exported: known?.exported ?? 0 });
    this.#hours.delete(key);
    this.#hours.set(key, hours);
    if (this.#hours.size > this.#maxKeys) this.#hours.delete(this.#hours.keys().next().value!);
  }
}
