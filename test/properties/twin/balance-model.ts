import { least, most } from './model/integers.js';

const HOUR = 3_600_000n;
const THIRTY_DAYS = 720n * HOUR;
const MAX = 2n ** 52n;
const IDS = 64;

/** A balance as its docs describe it, which forgets nothing by itself. Times are milliseconds. */
export class BalanceModel {
  left = 0n;
  /** When each id was counted, and its units. */
  readonly #ids = new Map<string, readonly [at: bigint, units: bigint]>();
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

  /** What it holds then, or -1; whether the id is new; and the units that were added under it. */
  credit(units: bigint, id: string, now: bigint): readonly bigint[] {
    for (const [each, [at]] of this.#ids) if (now - at >= THIRTY_DAYS) this.#ids.delete(each);
    const known = this.#ids.get(id);
    if (known !== undefined) return [this.left, 0n, known[1]];
    if (this.left + units > MAX) return [-1n, 0n, 0n];
    const oldest = [...this.#ids].toSorted(
      ([one, [at]], [other, [then]]) => Number(at - then) || (one < other ? -1 : 1),
    );
    for (const [each] of oldest.slice(0, Math.max(0, oldest.length + 1 - IDS))) this.#ids.delete(each);
    this.#ids.set(id, [now, units]);
    this.left += units;
    return [this.left, 1n, units];
  }

  /** Its key has expired. */
  forget(): void {
    this.#ids.clear();
    this.#spent.clear();
  }

  reconcile(units: bigint, since: number): bigint {
    const unknown = [...this.#spent].filter(([hour]) => hour >= BigInt(since));
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
