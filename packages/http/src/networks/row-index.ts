const FIRST_PLACES = 16;

/** Rows by hash: open addressing with linear probing, at most half full. */
export class RowIndex {
  /** Of each place: a hash, and a row and 1; or two zeros. */
  #places = new Int32Array(2 * FIRST_PLACES);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The row with this hash that is sought. -1: it is not here. */
  find(hash: number, isSought: (row: number) => boolean): number {
    const places = this.#places;
    for (let at = this.#home(hash); places[at + 1] !== 0; at = this.#next(at)) {
      const row = places[at + 1]! - 1;
      if (places[at] === hash && isSought(row)) return row;
    }
    return -1;
  }

  add(hash: number, row: number): void {
    if (4 * (this.#size + 1) > this.#places.length) this.#grow();
    let at = this.#home(hash);
    while (this.#places[at + 1] !== 0) at = this.#next(at);
    this.#places[at] = hash;
    this.#places[at + 1] = row + 1;
    this.#size += 1;
  }

  /** Moves the rows behind it that would not be found any more. @param row that it has */
  delete(hash: number, row: number): void {
    const places = this.#places;
    let hole = this.#home(hash);
    while (places[hole + 1] !== row + 1) hole = this.#next(hole);
    for (let at = this.#next(hole); places[at + 1] !== 0; at = this.#next(at)) {
      const home = this.#home(places[at]!);
      if (this.#distance(home, at) < this.#distance(hole, at)) continue;
      places[hole] = places[at]!;
      places[hole + 1] = places[at + 1]!;
      hole = at;
    }
    places[hole] = 0;
    places[hole + 1] = 0;
    this.#size -= 1;
  }

  *rows(): IterableIterator<[hash: number, row: number]> {
    for (let at = 0; at < this.#places.length; at += 2) {
      if (this.#places[at + 1] !== 0) yield [this.#places[at]!, this.#places[at + 1]! - 1];
    }
  }

  #grow(): void {
    const before = [...this.rows()];
    this.#places = new Int32Array(2 * this.#places.length);
    this.#size = 0;
    for (const [hash, row] of before) this.add(hash, row);
  }

  #home(hash: number): number {
    return (2 * hash) & (this.#places.length - 2);
  }

  #next(at: number): number {
    return (at + 2) & (this.#places.length - 2);
  }

  #distance(from: number, to: number): number {
    return (to - from) & (this.#places.length - 2);
  }
}
