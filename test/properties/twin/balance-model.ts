import { least, most } from './model/integers.js';

const HOUR = 3_600_000n;
const THIRTY_DAYS = 720n * HOUR;
const MAX = 2n ** 52n;
const IDS = 64;

/** A balance as its docs describe it, which forgets nothing by itself. Times are milliseconds. */
export class BalanceModel {
  left = 0n;
  readonly #ids = new Map<string, bigint>();
  readonly #spent = new Map<bigint, bigint>();

  /** The hours of what was spent. */
  get hours(): readonly number[] {
    return [...this.#spent.keys()].map(Number);
  }

  spend(units: bigint, charged: bigint): void {
    const hour = charged / HOUR;
    this.left -= units;
    this.#spent.set(hour, (this.#spent.get(hour) ?? 0n) + units);
  }

  /** The units that come back. */
  refund(units: bigint, charged: bigint, now: bigint): bigint {
    const given = now - charged < THIRTY_DAYS ? least(units, MAX - this.left) : 0n;
    if (given > 0n) this.spend(-given, charged);
    return given;
  }

  /** What it holds then, or -1. */
  credit(units: bigint, id: string, now: bigint): bigint {
    for (const [each, at] of this.#ids) if (now - at >= THIRTY_DAYS) this.#ids.delete(each);
    if (this.#ids.has(id)) return this.left;
    if (this.left + units > MAX) return -1n;
    const oldest = [...this.#ids].toSorted(([one, at], [other, then]) => Number(at - then) || (one < other ? -1 : 1));
    for (const [each] of oldest.slice(0, Math.max(0, oldest.length + 1 - IDS))) this.#ids.delete(each);
    this.#ids.set(id, now);
    this.left += units;
    return this.left;
  }

  /** Its key has expired. */
  forget(): void {
    this.#ids.clear();
    this.#spent.clear();
  }

  reconcile(units: bigint, since: number | undefined): bigint {
    const unknown = [...this.#spent].filter(([hour]) => since !== undefined && hour >= BigInt(since));
    this.left = least(
      MAX,
      most(
        0n,
        unknown.reduce((left, [, spent]) => left - spent, units),
      ),
    );
    return this.left;
  }
}
