/**
 * Times in ascending order: an immutable view of a shared array, which its newest view may extend. Adding and dropping take
 * constant time, and older views stay as they are.
 */
export class Stamps {
  readonly #shared: number[];
  readonly #first: number;
  readonly length: number;

  constructor(shared: number[], first: number, length: number) {
    this.#shared = shared;
    this.#first = first;
    this.length = length;
  }

  /** @param json what `toJSON` has made */
  static revive(json: object): Stamps {
    const { log } = json as { log: number[] };
    return new Stamps(log, 0, log.length);
  }

  toJSON(): object {
    return { log: this.#shared.slice(this.#first, this.#end) };
  }

  at(index: number): number {
    return this.#shared[this.#first + index]!;
  }

  drop(count: number): Stamps {
    return count === 0 ? this : new Stamps(this.#shared, this.#first + count, this.length - count);
  }

  add(stamp: number, count: number): Stamps {
    const shared = this.#growable();
    const first = shared === this.#shared ? this.#first : 0;
    for (let index = 0; index < count; index += 1) shared.push(stamp);
    return new Stamps(shared, first, this.length + count);
  }

  /** Removes at most `count` of the entries of one stamp. */
  remove(stamp: number, count: number): { stamps: Stamps; removed: number } {
    const found = this.#shared.indexOf(stamp, this.#first);
    if (found < 0 || found >= this.#end) return { stamps: this, removed: 0 };
    const all = this.#shared.slice(this.#first, this.#end);
    const start = found - this.#first;
    const removed = all.splice(start, Math.min(count, all.lastIndexOf(stamp) - start + 1)).length;
    return { stamps: new Stamps(all, 0, all.length), removed };
  }

  get #end(): number {
    return this.#first + this.length;
  }

  #growable(): number[] {
    // Another view has extended this array: copy what this view shows.
    const isNewest = this.#shared.length === this.#end;
    // Copy also when more than half of the array was dropped: as many drops have paid for it. `drop` itself does not copy,
    // because a denied check throws its view away.
    const isStale = this.#first > 32 && this.#first > this.length;
    return isNewest && !isStale ? this.#shared : this.#shared.slice(this.#first, this.#end);
  }
}

/** A log of which a script has told the length, the oldest time that matters, and the newest. */
export class ToldStamps extends Stamps {
  readonly #oldest: number;
  readonly #newest: number;
  /** The units before those of the newest time. */
  readonly #before: number;

  private constructor(length: number, before: number, { oldest, newest }: { oldest: number; newest: number }) {
    super([], 0, length);
    this.#before = before;
    this.#oldest = oldest;
    this.#newest = newest;
  }

  /** Reads the three numbers from a position on. */
  static unpack(numbers: readonly number[], position: number): ToldStamps {
    const length = numbers[position]!;
    return new ToldStamps(length, length - 1, { oldest: numbers[position + 1]!, newest: numbers[position + 2]! });
  }

  override at(index: number): number {
    return index < this.#before ? this.#oldest : this.#newest;
  }

  override add(stamp: number, count: number): ToldStamps {
    if (count === 0) return this;
    const oldest = this.length === 0 ? stamp : this.at(0);
    return new ToldStamps(this.length + count, this.length, { oldest, newest: stamp });
  }
}
