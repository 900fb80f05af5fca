/** Items in the order of their numbers, which rise. One that was taken out of the front may come back to it. */
export class NumberedQueue<T extends { readonly number: number }> {
  readonly #items = new Map<number, T>();
  /** No item has a lower number. */
  #first = Infinity;

  get size(): number {
    return this.#items.size;
  }

  /** The item with the lowest number. */
  first(): T | undefined {
    if (this.#items.size === 0) return undefined;
    for (;;) {
      const item = this.#items.get(this.#first);
      if (item !== undefined) return item;
      this.#first += 1;
    }
  }

  add(item: T): void {
    if (this.#items.size === 0) this.#first = item.number;
    this.#first = Math.min(this.#first, item.number);
    this.#items.set(item.number, item);
  }

  delete({ number }: T): void {
    this.#items.delete(number);
  }

  values(): Iterable<T> {
    return this.#items.values();
  }
}
