import type { LoggedRequest } from '../logs/logged-request.js';

const NAMES = ['ip', 'user', 'method', 'url', 'agent', 'key', 'cost'] as const;

/** What of a request only functions of tiers read. */
export type Details = Pick<LoggedRequest, (typeof NAMES)[number]>;

/** The texts of requests, for tiers with functions: each text once. */
export class RequestDetails {
  readonly #texts: string[] = [];
  readonly #ids = new Map<string, number>();
  /** The texts of each request, in the order of the names. */
  #rows: number[] = [];

  add(request: LoggedRequest): void {
    for (const name of NAMES) this.#rows.push(this.#idOf(request[name]));
  }

  at(row: number): Details {
    const first = row * NAMES.length;
    return Object.fromEntries(
      NAMES.map((name, index) => [name, this.#texts[this.#rows[first + index]!]!]),
    ) as unknown as Details;
  }

  /** Puts the requests in another order. @param order the place of each until now */
  putInOrder(order: Uint32Array): void {
    const rows: number[] = [];
    for (const row of order) {
      for (let index = 0; index < NAMES.length; index += 1) rows.push(this.#rows[row * NAMES.length + index]!);
    }
    this.#rows = rows;
  }

  #idOf(text: string): number {
    const known = this.#ids.get(text);
    if (known !== undefined) return known;
    this.#ids.set(text, this.#texts.length);
    return this.#texts.push(text) - 1;
  }
}
