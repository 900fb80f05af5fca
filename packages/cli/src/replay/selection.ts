import { busiestWindow, type ClientRequests } from './busiest-window.js';
import type { Client } from './client.js';
import type { ReplayedRequest } from './replayed-request.js';
import type { ClientRows, RequestTable } from './request-table.js';
import { slidingUse } from './sliding-use.js';

export interface SelectionSetup {
  readonly table: RequestTable;
  /** All of the log. */
  readonly clients: readonly Client[];
  readonly requestAt: (row: number) => ReplayedRequest;
  /** @default all rows */
  readonly isIn?: ((row: number) => boolean) | undefined;
}

/** The requests of a log that a limiter sees, by client, when they are in order of time. */
export class Selection {
  /** Those with a request in it. */
  readonly clients: readonly Client[];
  readonly size: number;
  readonly requestAt: (row: number) => ReplayedRequest;
  readonly #table: RequestTable;
  readonly #rows: ClientRows;
  readonly #isIn: (row: number) => boolean;
  /** By length and by index of the client. */
  readonly #busiest = new Map<number, Float64Array>();
  /** The same of sliding windows of one slot. */
  readonly #used = new Map<number, Float64Array>();

  constructor({ table, clients, requestAt, isIn }: SelectionSetup) {
    this.#table = table;
    this.#isIn = isIn ?? (() => true);
    this.#rows = table.rowsByClient(clients.length, isIn);
    this.size = this.#rows.rows.length;
    this.clients = isIn === undefined ? clients : clients.filter((client) => this.countOf(client) > 0);
    this.requestAt = requestAt;
  }

  /** The rows of a client, in order of time. */
  rowsOf({ index }: Client): Uint32Array {
    const { rows, starts } = this.#rows;
    return rows.subarray(starts[index], starts[index + 1]);
  }

  /** How many requests of a client are in it. */
  countOf({ index }: Client): number {
    const { starts } = this.#rows;
    return starts[index + 1]! - starts[index]!;
  }

  /** How many windows of the clock have a request, up to so many. @param length milliseconds */
  windowsOf(length: number, most: number): number {
    let [count, last] = [0, Number.NaN];
    const { times, size } = this.#table;
    for (let row = 0; row < size && count < most; row += 1) {
      const window = Math.floor(times[row]! / length);
      if (window === last || !this.#isIn(row)) continue;
      last = window;
      count += 1;
    }
    return count;
  }

  /** The most units that a client has requested in a window. @param length milliseconds */
  mostIn(length: number, client: Client): number {
    let busiest = this.#busiest.get(length);
    if (busiest === undefined) {
      this.measure([length]);
      busiest = this.#busiest.get(length)!;
    }
    return busiest[client.index]!;
  }

  /** The most units of a client that a sliding window counts, if it denies none. @param length milliseconds */
  usedIn(length: number, client: Client): number {
    let used = this.#used.get(length);
    if (used === undefined) {
      const column = new Float64Array((this.clients.at(-1)?.index ?? -1) + 1);
      this.#visit((each, requests) => {
        column[each.index] = slidingUse(requests, length);
      });
      this.#used.set(length, (used = column));
    }
    return used[client.index]!;
  }

  /**
   * Measures windows of some lengths, all in one pass.
   *
   * @param visit receives the requests of each client, which it can read until it returns
   */
  measure(lengths: readonly number[], visit?: (client: Client, requests: ClientRequests) => void): void {
    const { clients } = this;
    const wanted = [...new Set(lengths)].filter((length) => !this.#busiest.has(length));
    if (wanted.length === 0 && visit === undefined) return;
    const columns = wanted.map(() => new Float64Array((clients.at(-1)?.index ?? -1) + 1));
    this.#visit((client, requests) => {
      for (const [index, length] of wanted.entries()) columns[index]![client.index] = busiestWindow(requests, length);
      visit?.(client, requests);
    });
    for (const [index, length] of wanted.entries()) this.#busiest.set(length, columns[index]!);
  }

  /** Calls a function with the requests of each client, which it can read until it returns. */
  #visit(visit: (client: Client, requests: ClientRequests) => void): void {
    const { clients } = this;
    const most = clients.reduce((one, client) => Math.max(one, this.countOf(client)), 0);
    const [times, units] = [new Float64Array(most), new Float64Array(most)];
    for (const client of clients) {
      const rows = this.rowsOf(client);
      for (let place = 0; place < rows.length; place += 1) {
        const row = rows[place]!;
        times[place] = this.#table.times[row]!;
        units[place] = this.#table.unitsAt(row);
      }
      visit(client, { size: rows.length, times, units });
    }
  }
}
