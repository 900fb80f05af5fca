import type { LoggedRequest } from '../logs/lines/logged-request.js';

const NAMES = ['ip', 'user', 'method', 'url', 'agent', 'key', 'cost'] as const;

const FIRST_CAPACITY = 2 ** 16;
/** Bytes that a short text and its place take. */
const TEXT_OVERHEAD = 80;

/** What of a request only functions of tiers read. */
export type Details = Pick<LoggedRequest, (typeof NAMES)[number]>;

/** The texts of requests, for tiers with functions: each text once. */
export class RequestDetails {
  readonly #texts: string[] = [];
  readonly #ids = new Map<string, number>();
  /** Of all texts. */
  characters = 0;
  /** The texts of each request, in the order of the names. */
  #rows = new Uint32Array(FIRST_CAPACITY);
  #size = 0;

  add(request: LoggedRequest): void {
    if (this.#size + NAMES.length > this.#rows.length) this.#grow();
    for (const name of NAMES) {
      this.#rows[this.#size] = this.#idOf(request[name]);
      this.#size += 1;
    }
  }

  at(row: number): Details {
    const first = row * NAMES.length;
    return Object.fromEntries(
      NAMES.map((name, index) => [name, this.#texts[this.#rows[first + index]!]!]),
    ) as unknown as Details;
  }

  /** Puts the requests in another order. @param order the place of each until now */
  putInOrder(order: Uint32Array): void {
    const rows = new Uint32Array(order.length * NAMES.length);
    for (const [place, row] of order.entries()) {
      const first = row * NAMES.length;
      rows.set(this.#rows.subarray(first, first + NAMES.length), place * NAMES.length);
    }
    this.#rows = rows;
  }

  #grow(): void {
    const rows = this.#rows;
    (this.#rows = new Uint32Array(rows.length * 2)).set(rows);
  }

  #idOf(text: string): number {
    const known = this.#ids.get(text);
    if (known !== undefined) return known;
    // A text of a line is a slice of it, and would keep the line in memory.
    const own = Buffer.from(text).toString();
    this.characters += own.length + TEXT_OVERHEAD;
    this.#ids.set(own, this.#texts.length);
    return this.#texts.push(own) - 1;
  }
}
