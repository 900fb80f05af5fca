/**
 * The units of a key that are held, by their names, each with the time until which it counts. In the order of these times,
 * because each charge and each renewal brings the latest.
 */
export class Permits {
  readonly #units: Map<string, number>;
  /** Units that count, and whose names only the store knows. */
  readonly #others: number;
  /** No unit counts longer. */
  #latest: number;

  /** @param units in the order of their times */
  constructor(units?: Iterable<readonly [string, number]>, others = 0) {
    this.#units = new Map(units);
    this.#others = others;
    this.#latest = units === undefined ? 0 : Math.max(0, ...this.#units.values());
  }

  get latest(): number {
    return this.#latest;
  }

  /** Units that count at `now`. */
  live(now: number): number {
    let lapsed = 0;
    for (const until of this.#units.values()) {
      if (until > now) break;
      lapsed += 1;
    }
    return this.#others + this.#units.size - lapsed;
  }

  /** The same units, none of which counts longer than until `latest`. */
  redated(latest: number): Permits {
    return new Permits([...this.#units].map(([unit, until]) => [unit, Math.min(until, latest)]));
  }

  /** The names of the units that count at `now`. */
  *unitsAt(now: number): Generator<string> {
    for (const [unit, until] of this.#units) if (until > now) yield unit;
  }

  /** Removes the units that no longer count. */
  dropLapsed(now: number): void {
    for (const [unit, until] of this.#units) {
      if (until > now) return;
      this.#units.delete(unit);
    }
  }

  /** Adds units, or moves their end. @returns how many are new */
  hold(units: readonly string[], until: number): number {
    let added = 0;
    for (const unit of units) {
      if (!this.#units.delete(unit)) added += 1;
      this.#units.set(unit, until);
    }
    this.#latest = Math.max(this.#latest, until);
    return added;
  }

  /** Removes units. @returns how many there were */
  release(units: readonly string[]): number {
    let released = 0;
    for (const unit of units) if (this.#units.delete(unit)) released += 1;
    return released;
  }

  /** All units with the times until which they count. */
  entries(): readonly (readonly [string, number])[] {
    return [...this.#units];
  }

  toJSON(): object {
    return { permits: this.entries() };
  }
}

/**
 * The names of the units of a permit in the store.
 *
 * @param units the last so many
 * @param of units that the permit was given for
 */
export function permitUnits(permit: string, units: number, of: number): readonly string[] {
  if (of === 1) return [permit];
  return Array.from({ length: units }, (_, index) => {
    const number = of - index;
    return number === 1 ? permit : `${permit}.${number}`;
  });
}
