/** At most `size` of the values that are added, each with the same chance. */
export class Sample<T> {
  readonly values: T[] = [];
  readonly #size: number;
  #count = 0;

  constructor(size: number) {
    this.#size = size;
  }

  add(value: T): void {
    this.#count += 1;
    const place = this.#count <= this.#size ? this.#count - 1 : Math.floor(Math.random() * this.#count);
    if (place < this.#size) this.values[place] = value;
  }
}
