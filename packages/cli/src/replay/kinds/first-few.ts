import { Columns } from './columns.js';

/** Different numbers of each client, of which the first few are told apart. Most clients have one, which needs no list. */
export class FirstFew {
  readonly #most: number;
  /** The first number plus one, and how many there are. */
  readonly #known = new Columns(['first', 'size']);
  readonly #others = new Map<number, number[]>();

  constructor(most: number) {
    this.#most = most;
  }

  /** @param value below 2^32 - 1 */
  add(client: number, value: number): void {
    const { first, size } = this.#known.upTo(client).columns;
    const known = size[client]!;
    if (known === 0) {
      first[client] = value + 1;
      size[client] = 1;
      return;
    }
    if (known >= this.#most || first[client] === value + 1) return;
    const others = this.#others.get(client);
    if (others === undefined) this.#others.set(client, [value]);
    else if (others.includes(value)) return;
    else others.push(value);
    size[client] = known + 1;
    // No number is compared any more.
    if (known + 1 === this.#most) this.#others.delete(client);
  }

  sizeOf(client: number): number {
    return this.#known.upTo(client).columns.size[client]!;
  }

  /** Its first number. -1 without one. */
  firstOf(client: number): number {
    return this.#known.upTo(client).columns.first[client]! - 1;
  }

  isFull(client: number): boolean {
    return this.sizeOf(client) >= this.#most;
  }
}
