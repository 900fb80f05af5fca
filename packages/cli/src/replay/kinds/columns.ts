const FIRST_CAPACITY = 2 ** 10;

/** Counters by client, a column for each name: an object for each client would take ten times as much. */
export class Columns<Name extends string> {
  readonly #names: readonly Name[];
  /** Zero for a client that was not counted. */
  columns!: Readonly<Record<Name, Uint32Array>>;
  #capacity = FIRST_CAPACITY;

  constructor(names: readonly Name[]) {
    this.#names = names;
    this.#make(() => new Uint32Array(FIRST_CAPACITY));
  }

  /** Makes room up to an index. */
  upTo(index: number): this {
    if (index < this.#capacity) return this;
    while (index >= this.#capacity) this.#capacity *= 2;
    const old = this.columns;
    this.#make((name) => {
      const column = new Uint32Array(this.#capacity);
      column.set(old[name]);
      return column;
    });
    return this;
  }

  #make(columnOf: (name: Name) => Uint32Array): void {
    this.columns = Object.fromEntries(this.#names.map((name) => [name, columnOf(name)])) as Record<Name, Uint32Array>;
  }
}
